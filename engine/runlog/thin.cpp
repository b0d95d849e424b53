// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_log_reader.h"

#include <algorithm>
#include <array>
#include <cmath>

// The points are in order of x, so those of a bucket are side by side.

namespace accrue {

namespace {

using Points = std::vector<SeriesPoint>::const_iterator;

// Appends the lowest and the highest point and the first non-finite one, in their order: one
// non-finite point per bucket is enough to show it, and it stays between its neighbours.
void keepExtremes(Points begin, Points end, std::vector<SeriesPoint>& kept)
{
    std::array<Points, 3> found { end, end, end };
    auto& [lowest, highest, gap] = found;
    for (Points point = begin; point != end; ++point) {
        if (!std::isfinite(point->y)) {
            gap = std::min(gap, point);
            continue;
        }
        if (lowest == end || point->y < lowest->y)
            lowest = point;
        if (highest == end || point->y > highest->y)
            highest = point;
    }
    std::sort(found.begin(), found.end()); // `end`, where there is no such point, is last
    const auto last = std::unique(found.begin(), found.end());
    for (auto point = found.begin(); point != last && *point != end; ++point)
        kept.push_back(**point);
}

} // namespace

std::vector<SeriesPoint> thin(const std::vector<SeriesPoint>& points, int buckets)
{
    // Two points per column of pixels draw the same picture as all of them: the line between the
    // lowest and the highest covers the others.
    if (buckets < 1 || points.size() <= 2 * static_cast<std::size_t>(buckets))
        return points;
    const double width = (points.back().x - points.front().x) / buckets;
    const auto bucketOf = [&](const SeriesPoint& point) {
        const double place = width > 0 ? (point.x - points.front().x) / width : 0;
        // Comparisons that are false for NaN, so that every place is in a bucket.
        if (!(place > 0))
            return 0;
        return place < buckets ? static_cast<int>(place) : buckets - 1;
    };
    // The first and the last point are always included, so that a curve begins and ends where its
    // data do.
    std::vector<SeriesPoint> kept { points.front() };
    const Points last = points.end() - 1;
    for (Points begin = points.begin() + 1; begin != last;) {
        const Points end =
            std::find_if(begin, last, [&, bucket = bucketOf(*begin)](const auto& point) {
                return bucketOf(point) != bucket;
            });
        keepExtremes(begin, end, kept);
        begin = end;
    }
    kept.push_back(points.back());
    return kept;
}

} // namespace accrue
