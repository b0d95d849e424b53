// SPDX-License-Identifier: Apache-2.0
#include "engine/data/hold_out.h"

#include "engine/base/random.h"

namespace accrue {
namespace {

// Different from each other and from the orders of samples of the same seed: "validate",
// "testpart".
constexpr std::uint64_t kForValidation = 0x76616c6964617465;
constexpr std::uint64_t kForTest = 0x7465737470617274;

// Selects the wanted number of samples that are offered one by one, every choice equally likely:
// selection sampling (Knuth, volume 2, algorithm S).
struct Selection {
    CounterRandom random;
    std::int64_t left; // samples that were not offered yet
    std::int64_t wanted; // of these

    bool takesNext()
    {
        const bool takes = random.below(static_cast<std::uint32_t>(left--)) < wanted;
        wanted -= takes ? 1 : 0;
        return takes;
    }
};

// Draws the wanted number of each class, with a stream for each, so that pictures added to one do
// not affect the others.
std::vector<bool> drawnByClass(const std::vector<std::uint8_t>& labels,
    const std::vector<std::int64_t>& samples, const std::vector<std::int64_t>& wanted,
    std::uint64_t seed)
{
    std::vector<Selection> selections;
    for (std::size_t label = 0; label < samples.size(); ++label)
        selections.push_back({ CounterRandom(seed, label), samples[label], wanted[label] });
    std::vector<bool> drawn;
    drawn.reserve(labels.size());
    for (const std::uint8_t label : labels)
        drawn.push_back(selections[label].takesNext());
    return drawn;
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
    // The data set has a test split of its own, so none is drawn.
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
    data.test = taken(data.train,
        drawnByClass(data.train.labels, parts.untested, heldOutByClass(held, parts.untested),
            seed ^ kForTest));
}

void holdOutValidation(RawData& data, const HeldOut& heldOut, std::uint64_t seed)
{
    if (heldOut == HeldOut {})
        return;
    DataSettings settings;
    settings.validation = heldOut;
    require(settings, { {}, data.train.samples, {}, {} });
    const std::int64_t held = heldOutOf(heldOut, data.train.samples);
    // One class for all: the validation split is drawn from all samples alike.
    const std::vector<std::uint8_t> oneClass(data.train.labels.size());
    data.validation = taken(data.train,
        drawnByClass(oneClass, { data.train.samples }, { held }, seed ^ kForValidation));
}

} // namespace accrue
