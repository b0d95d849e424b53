// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/error.h"

#include <cstdint>
#include <vector>

namespace accrue {

inline constexpr std::int64_t kLargestImage = std::int64_t { 1 } << 25; // pixels, 5792 × 5792
inline constexpr std::int64_t kLargestImageFile = std::int64_t { 1 } << 28; // bytes, 256 MiB

// The properties of a picture before it is decoded, as a person would see it.
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

// A file that is no usable picture. Its message is only the reason, without the file's name and
// without a full stop, because one message may list many files: "not a PNG, JPEG or WebP file".
class ImageError : public Error {
public:
    using Error::Error;
};

} // namespace accrue
