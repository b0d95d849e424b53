// SPDX-License-Identifier: Apache-2.0
#include "engine/events/memory_changes.h"

#include <algorithm>
#include <cstdlib>

namespace accrue {

namespace {

// The allocator's cache and the memory of other programs change by themselves: an exact comparison
// would make every window differ.
bool samePhase(const PhaseMemory& a, const PhaseMemory& b)
{
    const auto close = [&](std::int64_t one, std::int64_t other) {
        return std::abs(one - other) * 100 <= a.peakBytes;
    };
    return a.phase == b.phase && a.microBatch == b.microBatch && a.samples == b.samples
        && a.beginBytes == b.beginBytes && a.endBytes == b.endBytes && a.peakBytes == b.peakBytes
        && a.atPeak == b.atPeak && a.atEnd == b.atEnd && close(a.cachedBytes, b.cachedBytes)
        && close(a.otherBytes, b.otherBytes) && a.kept == b.kept && a.owners == b.owners;
}

bool saysTheSame(const MemoryMeasured& a, const MemoryMeasured& b)
{
    return std::equal(
        a.phases.begin(), a.phases.end(), b.phases.begin(), b.phases.end(), samePhase);
}

} // namespace

bool MemoryChanges::take(const MemoryMeasured& measured)
{
    if (measured.phases.empty())
        return false;
    // Separately, because an evaluation between two equal windows changes neither of them.
    const bool evaluation = measured.phases.front().phase == MemoryPhase::Evaluation;
    std::shared_ptr<const MemoryMeasured>& last = evaluation ? m_evaluation : m_window;
    if (last && saysTheSame(*last, measured))
        return false;
    // Never changed again, so that copies of this object share it.
    last = std::make_shared<MemoryMeasured>(measured);
    return true;
}

} // namespace accrue
