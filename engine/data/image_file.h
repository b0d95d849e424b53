// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace accrue {

inline constexpr std::int64_t kLargestImage = std::int64_t { 1 } << 25; // pixels, 5792 × 5792
inline constexpr std::int64_t kLargestImageFile = std::int64_t { 1 } << 28; // bytes, 256 MiB

// What a picture is before it is decoded.
struct ImageHeader {
    std::int64_t height = 0;
    std::int64_t width = 0;
    bool isGrey = false; // stored with one channel; colours that happen to be grey do not count
};

// A picture, row by row, the channels of a pixel side by side: grey, or red, green and blue.
struct Image {
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t channels = 0; // 1 or 3
    std::vector<std::uint8_t> pixels;
};

// A file that is no usable picture. what() goes on from its name: "is neither a PNG nor a JPEG
// file".
class ImageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Both know PNG and JPEG by their first bytes, not by their names. They throw ImageError where the
// file is neither, empty, cut off or damaged, larger than the limits above, or promises more pixels
// than its bytes can hold, before memory is taken for them; DataError (raw_data.h) where it cannot
// be opened or read. Block.

// Reads no further than the size stands.
ImageHeader readImageHeader(const std::filesystem::path& file);
// Alpha is dropped, 16 bits are scaled to 8, palettes become colours, gamma and colour profiles and
// the orientation in EXIF are not applied: as torchvision's usual loader does. A CMYK JPEG is
// refused. Takes three bytes a pixel, a progressive JPEG six more while it is decoded.
Image readImage(const std::filesystem::path& file);

} // namespace accrue
