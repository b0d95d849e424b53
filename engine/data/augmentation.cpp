// SPDX-License-Identifier: Apache-2.0
#include "engine/data/augmentation.h"

#include "engine/experiment/experiment.h"

namespace accrue {

Augmentation augmentationOf(const AugmentSettings& settings, std::uint64_t seed, std::int64_t epoch)
{
    // "augment", so that the order of this epoch's samples, which has the same seed and stream, is
    // independent of how they are changed.
    constexpr std::uint64_t kApart = 0x6175676d656e74;
    return { settings.cropPadding, settings.cutoutSize, settings.flip,
        CounterRandom(seed ^ kApart, static_cast<std::uint64_t>(epoch)).next() };
}

} // namespace accrue
