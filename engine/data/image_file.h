// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace accrue {

inline constexpr std::int64_t kLargestImage = std::int64_t { 1 } << 25; // pixels, 5792 × 5792
inline constexpr std::int64_t kLargestImageFile = std::int64_t { 1 } << 28; // bytes, 256 MiB

// What a picture is before it is decoded, as it is to be seen.
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

// A file that is no usable picture. what() goes on from its name: "is no PNG, JPEG or WebP file".
class ImageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Both know PNG, JPEG and WebP by their first bytes, not by their names. They throw ImageError
// where the file is none of them, empty, cut off or damaged, larger than the limits above, or
// promises more pixels than its bytes can hold (a WebP of one colour can hold any number), before
// memory is taken for them; DataError (raw_data.h) where it cannot be opened or read. Block.

// Reads no further than the size stands, of a PNG to where its pixels begin, and a WebP with EXIF
// whole, because it stands at its end.
ImageHeader readImageHeader(const std::filesystem::path& file);
// Turned and mirrored as EXIF asks, of a PNG where that stands before the pixels. Otherwise as
// torchvision's usual loader: alpha is dropped, 16 bits are scaled to 8, palettes become colours,
// gamma and colour profiles are not applied. A CMYK JPEG and an animated WebP are refused, and so
// is any WebP where this program was built without libwebp. Takes three bytes a pixel, three more
// where it is turned, and while they are decoded a progressive JPEG six more and a lossless WebP
// four more.
Image readImage(const std::filesystem::path& file);

} // namespace accrue
