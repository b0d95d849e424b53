// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_log_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

// One pass over the points, which are in order of x: a bucket ends when a point of the next one
// comes.

namespace accrue {

namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// One column of pixels: the places of its lowest and its highest point.
struct Bucket {
    std::size_t lowest = kNone;
    std::size_t highest = kNone;

    void add(const std::vector<SeriesPoint>& points, std::size_t i)
    {
        if (lowest == kNone || points[i].y < points[lowest].y)
            lowest = i;
        if (highest == kNone || points[i].y > points[highest].y)
            highest = i;
    }
};

class Thinner {
public:
    Thinner(const std::vector<SeriesPoint>& points, int buckets)
        : m_points(points)
        , m_buckets(buckets)
        , m_first(points.front().x)
        , m_width((points.back().x - points.front().x) / buckets)
    {
    }

    std::vector<SeriesPoint> run()
    {
        keep(0);
        // The first and the last point are always included, so that a curve begins and ends where
        // its data do.
        for (std::size_t i = 1; i + 1 < m_points.size(); ++i)
            visit(i);
        endBucket();
        keep(m_points.size() - 1);
        return std::move(m_kept);
    }

private:
    int bucketOf(double x) const
    {
        const double place = m_width > 0 ? (x - m_first) / m_width : 0;
        // Comparisons that are false for NaN, so that every place is in a bucket.
        if (!(place > 0))
            return 0;
        return place < m_buckets ? static_cast<int>(place) : m_buckets - 1;
    }

    void visit(std::size_t i)
    {
        const int bucket = bucketOf(m_points[i].x);
        if (bucket != m_current) {
            endBucket();
            m_current = bucket;
        }
        if (std::isfinite(m_points[i].y))
            m_bucket.add(m_points, i);
        else if (m_gap == kNone)
            m_gap = i;
    }

    // One non-finite point per bucket is enough to show it; it stays between its neighbours.
    void endBucket()
    {
        std::vector<std::size_t> order;
        if (m_bucket.lowest != kNone)
            order = { m_bucket.lowest, m_bucket.highest };
        if (m_gap != kNone)
            order.push_back(m_gap);
        std::sort(order.begin(), order.end());
        order.erase(std::unique(order.begin(), order.end()), order.end());
        for (const std::size_t i : order)
            keep(i);
        m_bucket = {};
        m_gap = kNone;
    }

    void keep(std::size_t i) { m_kept.push_back(m_points[i]); }

    const std::vector<SeriesPoint>& m_points;
    int m_buckets;
    double m_first;
    double m_width;
    int m_current = 0;
    Bucket m_bucket;
    std::size_t m_gap = kNone; // the first non-finite point of the bucket
    std::vector<SeriesPoint> m_kept;
};

} // namespace

std::vector<SeriesPoint> thin(const std::vector<SeriesPoint>& points, int buckets)
{
    // Two points per column of pixels draw the same picture as all of them: the line between the
    // lowest and the highest covers the others.
    if (buckets < 1 || points.size() <= 2 * static_cast<std::size_t>(buckets))
        return points;
    return Thinner(points, buckets).run();
}

} // namespace accrue
