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

// At most `sum`: less of what comes and goes first, which stands last.
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
    begin.back() += phase.beginBytes - sumOf(begin);
    return begin;
}

} // namespace

SawTooth sawToothOf(const MemoryMeasured& window)
{
    SawTooth curve;
    curve.points.reserve(3 * window.phases.size());
    const PhaseMemory* before = nullptr;
    double x = 0;
    for (const PhaseMemory& phase : window.phases) {
        curve.points.push_back({ x, beginOf(phase, before), phase.cachedBytes, phase.otherBytes });
        curve.points.push_back({ x + 0.5, phase.atPeak, phase.cachedBytes, phase.otherBytes });
        curve.points.push_back({ x + 1, phase.atEnd, phase.cachedBytes, phase.otherBytes });
        before = &phase;
        x += 1;
    }
    return curve;
}

} // namespace accrue
