// SPDX-License-Identifier: Apache-2.0
#include "ui/run/growing_series.h"

#include "engine/runlog/run_log_reader.h"

namespace accrue {

namespace {

// Fine buckets for one of the answer. Each keeps at most three points, so that a quarter of the
// room is always won.
constexpr int kFine = 4;
constexpr int kMostPerBucket = 16;

} // namespace

GrowingSeries::GrowingSeries(int buckets)
    : m_buckets(buckets)
{
}

// Thinning finer than what is asked for, and only when the room is full, makes the cost of a point
// constant on average: each thinning wins at least a quarter of the room.
void GrowingSeries::add(const SeriesPoint& point)
{
    m_points.push_back(point);
    if (m_points.size()
        >= static_cast<std::size_t>(kMostPerBucket) * static_cast<std::size_t>(m_buckets))
        m_points = thin(m_points, kFine * m_buckets);
}

std::vector<SeriesPoint> GrowingSeries::thinned() const
{
    return thin(m_points, m_buckets);
}

} // namespace accrue
