// SPDX-License-Identifier: Apache-2.0
#include "ui/run/growing_series.h"

#include "engine/runlog/run_log_reader.h"

namespace accrue {

namespace {

// Fine buckets per bucket of the answer. Each retains at most three points, so that thinning always
// frees a quarter of the memory.
constexpr int kFine = 4;
constexpr int kMostPerBucket = 16;

} // namespace

GrowingSeries::GrowingSeries(int buckets)
    : m_buckets(buckets)
{
}

// Thinning into finer buckets than requested, and only when the memory is full, makes the cost of a
// point constant on average: each thinning frees at least a quarter of the memory.
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
