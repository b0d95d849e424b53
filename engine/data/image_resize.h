// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/image.h"
#include "engine/experiment/experiment.h"

namespace accrue {

// The fill of a letterboxed picture, in each channel: the usual neutral grey, which depends on no
// data.
inline constexpr std::uint8_t kLetterboxGrey = 114;

// The form that all pictures of a set get.
struct PictureFrame {
    std::int64_t channels = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
    PictureFit fit = PictureFit::Stretch;

    std::int64_t pixels() const { return channels * height * width; }
};

// Writes `image` as planes (channels, height, width) to `to`: unchanged if it has that size,
// otherwise scaled, by bilinear interpolation that averages over all covered pixels if it shrinks
// (a triangle as wide as a target pixel, as torchvision's Resize with antialias), rounded once to
// whole values.
//
// Stretch: to the frame, the aspect ratio not kept, as Resize((height, width)).
// Crop: until one side is the frame's and the other, its fraction dropped, no shorter, of which the
//   middle is kept; where it cannot be halved, half a pixel goes to the even side. For a square as
//   Resize(side) and CenterCrop(side).
// Letterbox: until one side is the frame's and the other, rounded and at least a pixel, no longer;
//   kLetterboxGrey around it, an odd pixel below and to the right.
//
// A grey picture becomes three equal channels if the frame has three; `frame.channels` is otherwise
// its own.
void writePlanes(const Image& image, const PictureFrame& frame, std::uint8_t* to);

} // namespace accrue
