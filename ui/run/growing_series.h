// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <vector>

namespace accrue {

// A series that grows without end, in room that does not: however many points are added, at most
// 16 a bucket are kept, and adding costs the same. Not thread-safe.
class GrowingSeries {
public:
    explicit GrowingSeries(int buckets); // at least 1

    void add(const SeriesPoint& point); // in the order of x
    // What thin() would give of all points, but that a lowest or highest point close to the edge of
    // a bucket may be counted to its neighbour.
    std::vector<SeriesPoint> thinned() const;
    GrowingSeries emptied() const { return GrowingSeries(m_buckets); }
    std::size_t kept() const { return m_points.size(); }

private:
    int m_buckets;
    std::vector<SeriesPoint> m_points; // lowest and highest of fine buckets, then what came since
};

} // namespace accrue
