// SPDX-License-Identifier: Apache-2.0
#include "engine/data/hold_out.h"

#include <algorithm>

#include "engine/base/random.h"

namespace accrue {
namespace {

// Apart from each other and from the orders of samples of the same seed: "validate", "testpart".
constexpr std::uint64_t kForValidation = 0x76616c6964617465;
constexpr std::uint64_t kForTest = 0x7465737470617274;

// Of samples that are offered one by one, takes as many as are wanted, every choice equally likely:
// selection sampling (Knuth, volume 2, algorithm S).
class Selection {
public:
    Selection(std::uint64_t seed, std::uint64_t stream, std::int64_t samples, std::int64_t wanted)
        : m_random(seed, stream)
        , m_left(samples)
        , m_wanted(wanted)
    {
    }

    bool takesNext()
    {
        const bool takes = m_random.below(static_cast<std::uint32_t>(m_left--)) < m_wanted;
        m_wanted -= takes ? 1 : 0;
        return takes;
    }

private:
    CounterRandom m_random;
    std::int64_t m_left;
    std::int64_t m_wanted;
};

std::vector<bool> drawnOfAll(std::int64_t samples, std::int64_t held, std::uint64_t seed)
{
    Selection selection(seed ^ kForValidation, 0, samples, held);
    std::vector<bool> drawn(static_cast<std::size_t>(samples));
    for (auto&& sample : drawn)
        sample = selection.takesNext();
    return drawn;
}

// A stream for each class, so that pictures added to one change nothing of the others.
std::vector<bool> drawnByClass(const std::vector<std::uint8_t>& labels,
    const std::vector<std::int64_t>& samples, std::int64_t held, std::uint64_t seed)
{
    const std::vector<std::int64_t> wanted = heldOutByClass(held, samples);
    std::vector<Selection> selections;
    for (std::size_t label = 0; label < samples.size(); ++label)
        selections.emplace_back(seed ^ kForTest, label, samples[label], wanted[label]);
    std::vector<bool> drawn;
    drawn.reserve(labels.size());
    for (const std::uint8_t label : labels)
        drawn.push_back(selections[label].takesNext());
    return drawn;
}

RawSplit emptyLike(const RawSplit& split, std::int64_t samples)
{
    RawSplit empty { 0, split.channels, split.height, split.width };
    empty.images.reserve(static_cast<std::size_t>(samples * split.pixels()));
    empty.labels.reserve(static_cast<std::size_t>(samples));
    return empty;
}

// What stays moves up within `from`, so that the pixels of a set of gigabytes are never there
// twice.
RawSplit taken(RawSplit& from, const std::vector<bool>& drawn)
{
    RawSplit to = emptyLike(from, std::count(drawn.begin(), drawn.end(), true));
    auto keptImages = from.images.begin();
    auto keptLabels = from.labels.begin();
    for (std::int64_t i = 0; i < from.samples; ++i) {
        const auto pixels = from.images.begin() + i * from.pixels();
        const std::uint8_t label = from.labels[static_cast<std::size_t>(i)];
        if (drawn[static_cast<std::size_t>(i)]) {
            to.images.insert(to.images.end(), pixels, pixels + from.pixels());
            to.labels.push_back(label);
        } else {
            keptImages = std::copy(pixels, pixels + from.pixels(), keptImages);
            *keptLabels++ = label;
        }
    }
    from.images.erase(keptImages, from.images.end());
    from.labels.erase(keptLabels, from.labels.end());
    from.samples = static_cast<std::int64_t>(from.labels.size());
    to.samples = static_cast<std::int64_t>(to.labels.size());
    return to;
}

void require(const DataSettings& settings, const DataParts& parts)
{
    Experiment asking;
    asking.data = settings;
    for (const Finding& finding : checkHeldOut(asking, parts))
        throw Error(finding.message);
}

} // namespace

DataParts partsOf(const RawData& data, const DataFiles& files)
{
    DataParts parts { files.folder.string(), data.train.samples, {}, {} };
    if (!files.validation.empty())
        parts.validation = files.validation.front().filename().string();
    if (data.test.samples > 0)
        return parts;
    parts.untested.resize(data.classNames.size());
    for (const std::uint8_t label : data.train.labels)
        ++parts.untested[label];
    return parts;
}

void holdOutTest(
    RawData& data, const DataSettings& settings, const DataParts& parts, std::uint64_t seed)
{
    require(settings, parts);
    if (parts.untested.empty())
        return;
    const std::int64_t held = heldOutOf(settings.test, data.train.samples);
    data.test = taken(data.train, drawnByClass(data.train.labels, parts.untested, held, seed));
}

void holdOutValidation(RawData& data, const HeldOut& heldOut, std::uint64_t seed)
{
    if (heldOut == HeldOut {})
        return;
    DataSettings settings;
    settings.validation = heldOut;
    require(settings, { {}, data.train.samples, {}, {} });
    const std::int64_t held = heldOutOf(heldOut, data.train.samples);
    data.validation = taken(data.train, drawnOfAll(data.train.samples, held, seed));
}

} // namespace accrue
