// SPDX-License-Identifier: Apache-2.0
#include "engine/data/hold_out.h"

#include <algorithm>

#include "engine/data/random.h"
#include "engine/experiment/format.h"
#include "engine/experiment/held_out.h"

namespace accrue {
namespace {

constexpr std::uint64_t kApart = 0x76616c6964617465; // from the orders of samples of this seed

// For each sample whether it is held out: `held` of them, every choice equally likely, by
// selection sampling (Knuth, volume 2, algorithm S).
std::vector<bool> drawHeldOut(std::int64_t samples, std::int64_t held, std::uint64_t seed)
{
    CounterRandom random(seed ^ kApart, 0);
    std::vector<bool> drawn(static_cast<std::size_t>(samples));
    for (std::int64_t i = 0; i < samples; ++i) {
        const bool take = random.below(static_cast<std::uint32_t>(samples - i)) < held;
        drawn[static_cast<std::size_t>(i)] = take;
        held -= take ? 1 : 0;
    }
    return drawn;
}

RawSplit emptyLike(const RawSplit& split, std::int64_t samples)
{
    RawSplit empty;
    empty.channels = split.channels;
    empty.height = split.height;
    empty.width = split.width;
    empty.images.reserve(static_cast<std::size_t>(samples * split.pixels()));
    empty.labels.reserve(static_cast<std::size_t>(samples));
    return empty;
}

} // namespace

void holdOut(RawData& data, const HeldOut& heldOut, std::uint64_t seed)
{
    if (heldOut == HeldOut {})
        return;
    RawSplit& train = data.train;
    Experiment asking;
    asking.data.validation = heldOut;
    for (const Finding& finding : checkHeldOut(asking, train.samples))
        throw DataError(finding.message);

    const std::int64_t held = heldOutOf(heldOut, train.samples);
    const std::vector<bool> drawn = drawHeldOut(train.samples, held, seed);
    RawSplit validation = emptyLike(train, held);
    validation.samples = held;
    auto keptImages = train.images.begin();
    auto keptLabels = train.labels.begin();
    for (std::int64_t i = 0; i < train.samples; ++i) {
        const auto pixels = train.images.begin() + i * train.pixels();
        const std::uint8_t label = train.labels[static_cast<std::size_t>(i)];
        if (drawn[static_cast<std::size_t>(i)]) {
            validation.images.insert(validation.images.end(), pixels, pixels + train.pixels());
            validation.labels.push_back(label);
        } else {
            keptImages = std::copy(pixels, pixels + train.pixels(), keptImages);
            *keptLabels++ = label;
        }
    }
    train.images.erase(keptImages, train.images.end());
    train.labels.erase(keptLabels, train.labels.end());
    train.samples -= held;
    data.validation = std::move(validation);
    data.description += ", " + formatCount(held) + " of train held out";
}

} // namespace accrue
