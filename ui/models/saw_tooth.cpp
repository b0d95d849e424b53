// SPDX-License-Identifier: Apache-2.0
#include "ui/models/saw_tooth.h"

#include <algorithm>
#include <numeric>

namespace accrue {

namespace {

std::int64_t sumOf(const CategoryBytes& bytes)
{
    return std::accumulate(bytes.begin(), bytes.end(), std::int64_t { 0 });
}

// Reduces the total to at most `sum`: transient memory, which is last in the array, is reduced
// first.
void cutTo(std::int64_t sum, CategoryBytes& bytes)
{
    std::int64_t over = sumOf(bytes) - sum;
    for (auto each = bytes.rbegin(); each != bytes.rend() && over > 0; ++each) {
        const std::int64_t cut = std::min(*each, over);
        *each -= cut;
        over -= cut;
    }
}

CategoryBytes beginOf(const PhaseMemory& phase, const PhaseMemory* before)
{
    if (before != nullptr && before->endBytes == phase.beginBytes)
        return before->atEnd;
    CategoryBytes begin {};
    for (std::size_t i = 0; i < begin.size(); ++i)
        begin.at(i) = std::min(phase.atPeak.at(i), phase.atEnd.at(i));
    cutTo(phase.beginBytes, begin);
    // The remainder is workspace, the last category, so that the curve has the measured sum.
    begin.back() += phase.beginBytes - sumOf(begin);
    return begin;
}

using Phases = std::vector<PhaseMemory>;

// Groups the phases of one micro-batch; phases of the window or of an evaluation are groups of
// their own.
std::vector<Phases> byMicroBatch(const Phases& phases)
{
    std::vector<Phases> groups;
    for (const PhaseMemory& phase : phases) {
        const bool isNew = groups.empty() || phase.microBatch == 0
            || groups.back().front().microBatch != phase.microBatch;
        if (isNew)
            groups.emplace_back();
        groups.back().push_back(phase);
    }
    return groups;
}

bool areAlike(const Phases& a, const Phases& b)
{
    const auto sameBytes = [](const PhaseMemory& one, const PhaseMemory& other) {
        return one.phase == other.phase && one.samples == other.samples
            && one.beginBytes == other.beginBytes && one.endBytes == other.endBytes
            && one.peakBytes == other.peakBytes && one.atPeak == other.atPeak;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), sameBytes);
}

} // namespace

// A window of hundreds of micro-batches would be a picture of equal teeth. Micro-batches that equal
// the one before, to the byte, add no information; the few that differ are of interest.
WindowExcerpt excerptOf(const MemoryMeasured& window, std::int64_t most)
{
    const std::vector<Phases> groups = byMicroBatch(window.phases);
    const auto isMicroBatch = [](const Phases& group) { return group.front().microBatch > 0; };
    WindowExcerpt excerpt { .window = window };
    excerpt.microBatches = std::count_if(groups.begin(), groups.end(), isMicroBatch);
    excerpt.drawn = excerpt.microBatches;
    if (excerpt.microBatches <= most)
        return excerpt;
    excerpt.drawn = 0;
    excerpt.window.phases.clear();
    const Phases* before = nullptr;
    for (const Phases& group : groups) {
        const bool repeats = isMicroBatch(group) && before != nullptr && areAlike(*before, group);
        const bool isTooMany = isMicroBatch(group) && !repeats && excerpt.drawn == most;
        before = &group;
        excerpt.cut = excerpt.cut || isTooMany;
        if (repeats || isTooMany)
            continue;
        excerpt.drawn += isMicroBatch(group) ? 1 : 0;
        excerpt.window.phases.insert(excerpt.window.phases.end(), group.begin(), group.end());
    }
    return excerpt;
}

SawTooth sawToothOf(const MemoryMeasured& window)
{
    SawTooth curve;
    curve.reserve(3 * window.phases.size());
    const PhaseMemory* before = nullptr;
    double x = 0;
    for (const PhaseMemory& phase : window.phases) {
        curve.push_back({ x, beginOf(phase, before), phase.cachedBytes, phase.otherBytes });
        curve.push_back({ x + 0.5, phase.atPeak, phase.cachedBytes, phase.otherBytes });
        curve.push_back({ x + 1, phase.atEnd, phase.cachedBytes, phase.otherBytes });
        before = &phase;
        x += 1;
    }
    return curve;
}

} // namespace accrue
