// SPDX-License-Identifier: Apache-2.0
#include "engine/events/memory_changes.h"

#include <algorithm>
#include <cstdlib>

namespace accrue {

namespace {

bool sameOwner(const MemoryOwner& a, const MemoryOwner& b)
{
    return a.category == b.category && a.bytes == b.bytes && a.layer == b.layer
        && a.operation == b.operation;
}

bool samePhase(const PhaseMemory& a, const PhaseMemory& b)
{
    const auto close = [&](std::int64_t one, std::int64_t other) {
        return std::abs(one - other) * 100 <= a.peakBytes;
    };
    return a.phase == b.phase && a.microBatch == b.microBatch && a.samples == b.samples
        && a.beginBytes == b.beginBytes && a.endBytes == b.endBytes && a.peakBytes == b.peakBytes
        && a.atPeak == b.atPeak && a.atEnd == b.atEnd && close(a.cachedBytes, b.cachedBytes)
        && close(a.otherBytes, b.otherBytes) && a.kept == b.kept
        && std::equal(
            a.owners.begin(), a.owners.end(), b.owners.begin(), b.owners.end(), sameOwner);
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
    const bool evaluation = measured.phases.front().phase == MemoryPhase::Evaluation;
    std::shared_ptr<const MemoryMeasured>& last = evaluation ? m_evaluation : m_window;
    if (last && saysTheSame(*last, measured))
        return false;
    last = std::make_shared<MemoryMeasured>(measured);
    return true;
}

} // namespace accrue
