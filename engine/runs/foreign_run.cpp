// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/foreign_run.h"

#include <algorithm>

namespace accrue {

std::size_t putInOrder(ForeignSeries& series)
{
    std::vector<ForeignPoint>& points = series.points;
    const auto before = [](const ForeignPoint& a, const ForeignPoint& b) {
        return a.step < b.step;
    };
    if (!std::is_sorted(points.begin(), points.end(), before))
        std::stable_sort(points.begin(), points.end(), before);
    // Backwards, so that the last of several comes first and stays.
    const auto kept = std::unique(points.rbegin(), points.rend(),
        [](const ForeignPoint& a, const ForeignPoint& b) { return a.step == b.step; });
    const auto removed = static_cast<std::size_t>(points.rend() - kept);
    points.erase(points.begin(), kept.base());
    return removed;
}

} // namespace accrue
