// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <vector>

namespace accrue {

// A series that grows without end in memory that does not: however many points are added, at most
// 16 per bucket are stored, and adding costs the same. Not thread-safe.
class GrowingSeries {
public:
    explicit GrowingSeries(int buckets); // at least 1

    void add(const SeriesPoint& point); // in the order of x
    // What thin() would return for all points, except that a lowest or highest point close to the
    // edge of a bucket may be counted in its neighbour.
    std::vector<SeriesPoint> thinned() const;
    GrowingSeries emptied() const { return GrowingSeries(m_buckets); }
    std::size_t kept() const { return m_points.size(); }

private:
    int m_buckets;
    // Lowest and highest of fine buckets, then the points added since
    std::vector<SeriesPoint> m_points;
};

} // namespace accrue
