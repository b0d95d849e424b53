// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/agreement_pace.h"

#include <algorithm>

namespace accrue {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr std::int64_t kKnown = 8; // agreements, until it is known what one costs
constexpr double kForget = 0.1; // of what is known, with each
constexpr Seconds kNothing { 50e-6 }; // no network is that fast
constexpr double kShare = 0.01; // of the time
constexpr Seconds kLongest { 0.2 }; // until a stop is noticed

} // namespace

// The cheapest one is what an agreement takes if no rank has to wait. The usual one is with that:
// slices take different times on different ranks, and the fewer agreements, the more of that is
// levelled out. Their number at most doubles each time: a device whose first slice was only
// enqueued does not look fast for long.
void AgreementPace::agreed(Clock::time_point begin, Clock::time_point end)
{
    const Seconds took = end - begin;
    m_cheapest = std::min(m_cheapest, took);
    m_usual += (++m_agreements == 1 ? 1 : kForget) * (took - m_usual);
    m_next = m_slices > 0 ? affordable(Seconds(begin - m_before) / m_slices) : 1;
    m_next = std::min(m_next, std::max<std::int64_t>(2 * m_slices, 1));
    m_before = end;
    m_slices = 0;
}

std::int64_t AgreementPace::affordable(Seconds slice) const
{
    if (m_agreements < kKnown || m_cheapest < kNothing)
        return 1;
    const Seconds between = std::min(m_usual / kShare, kLongest);
    return std::max<std::int64_t>(static_cast<std::int64_t>(between / slice), 1);
}

} // namespace accrue
