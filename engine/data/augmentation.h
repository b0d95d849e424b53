// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/host_device.h"
#include "engine/base/random.h"

#include <cstdint>

namespace accrue {

struct AugmentSettings; // experiment.h

// The random changes of one epoch's training pictures. Plain memory: it is passed to a kernel by
// value. The change of a picture is a function of (settings, seed, epoch, index of the sample in
// its split) alone, so every split of an epoch into micro-batches, on any device, produces the same
// pixels. The default changes nothing.
struct Augmentation {
    std::int64_t cropPadding = 0;
    std::int64_t cutoutSize = 0;
    bool flip = false;
    std::uint64_t key = 0; // of seed and epoch

    bool changesNothing() const { return cropPadding == 0 && cutoutSize == 0 && !flip; }
};

Augmentation augmentationOf(
    const AugmentSettings& settings, std::uint64_t seed, std::int64_t epoch);

// What was drawn for one sample. Lengths in pixels, y downwards.
struct DrawnAugmentation {
    // Pixel (y, x) of the crop is pixel (y + top, x + left) of the picture, which is black (value
    // 0, before normalisation) outside of its border; each from −cropPadding to cropPadding,
    // uniform.
    std::int64_t top;
    std::int64_t left;
    bool flipped; // left and right, after the crop; with probability 1/2
    // The square that is set to 0 after normalisation, the mean colour: cutoutSize a side around a
    // pixel drawn uniformly from the picture, clipped at the border (DeVries and Taylor 2017, arXiv
    // 1708.04552).
    std::int64_t cutTop;
    std::int64_t cutLeft;
};

// Every number is drawn whether it is used or not, so that switching a change on or off does not
// affect the others.
ACCRUE_HOST_DEVICE inline DrawnAugmentation drawAugmentation(
    const Augmentation& augmentation, std::int64_t sample, std::int64_t height, std::int64_t width)
{
    CounterRandom random(augmentation.key, static_cast<std::uint64_t>(sample));
    const auto padding = static_cast<std::int32_t>(augmentation.cropPadding);
    DrawnAugmentation drawn;
    drawn.top = random.between(-padding, padding);
    drawn.left = random.between(-padding, padding);
    drawn.flipped = random.below(2) == 1 && augmentation.flip;
    drawn.cutTop = random.below(static_cast<std::uint32_t>(height)) - augmentation.cutoutSize / 2;
    drawn.cutLeft = random.below(static_cast<std::uint32_t>(width)) - augmentation.cutoutSize / 2;
    return drawn;
}

// Pixel (y, x) of a changed plane; `lookup` normalises a pixel value.
template <typename T>
ACCRUE_HOST_DEVICE inline T augmentedPixel(const std::uint8_t* plane, const T* lookup,
    std::int64_t height, std::int64_t width, std::int64_t cutoutSize,
    const DrawnAugmentation& drawn, std::int64_t y, std::int64_t x)
{
    const auto within = [](std::int64_t offset, std::int64_t size) {
        return static_cast<std::uint64_t>(offset) < static_cast<std::uint64_t>(size);
    };
    if (within(y - drawn.cutTop, cutoutSize) && within(x - drawn.cutLeft, cutoutSize))
        return T(0);
    const std::int64_t fromY = y + drawn.top;
    const std::int64_t fromX = (drawn.flipped ? width - 1 - x : x) + drawn.left;
    return lookup[within(fromY, height) && within(fromX, width) ? plane[fromY * width + fromX] : 0];
}

} // namespace accrue
