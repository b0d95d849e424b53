// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/image_file.h"

namespace accrue {

// Writes `image` as planes (channels, height, width) to `to`: as it is where it has that size,
// otherwise stretched to it, its aspect ratio not kept, by bilinear interpolation that averages
// over all pixels it covers where it shrinks (a triangle as wide as a target pixel, as
// torchvision's Resize((height, width)) with antialias), rounded once to whole values. A grey
// picture becomes three equal channels where three are asked for; `channels` is otherwise its own.
void writePlanes(const Image& image, std::int64_t channels, std::int64_t height, std::int64_t width,
    std::uint8_t* to);

} // namespace accrue
