// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/run_looks.h"

#include <algorithm>
#include <optional>

namespace accrue {
namespace {

constexpr std::size_t kLooks = kSeriesHues.size() * kLineKinds;

// Ids begin at 1.
std::size_t indexOf(RunId run)
{
    return static_cast<std::size_t>(std::max<std::int64_t>(numberOf(run), 1) - 1) % kLooks;
}

} // namespace

RunLook lookOfSeries(std::size_t index)
{
    return { index % kSeriesHues.size(),
        static_cast<LineKind>(index / kSeriesHues.size() % kLineKinds) };
}

RunLook lookOf(RunId run)
{
    return lookOfSeries(indexOf(run));
}

// A run keeps its own look if it can, so that it looks the same in the table and in a comparison;
// only a later run whose look is already used gets another one. All own looks are assigned first,
// because a run that moves must not get the own look of a later one.
std::vector<RunLook> looksOf(const std::vector<RunId>& runs)
{
    std::vector<RunLook> looks;
    std::array<std::optional<RunId>, kLooks> taken {};
    for (const RunId run : runs)
        // The first of several runs with the same own look keeps it.
        if (!taken.at(indexOf(run)))
            taken.at(indexOf(run)) = run;
    for (const RunId run : runs) {
        std::size_t free = indexOf(run);
        const auto mayTake = [&] { return !taken.at(free) || taken.at(free) == run; };
        for (std::size_t i = 1; i <= kLooks && !mayTake(); ++i) {
            free = (free + kSeriesHues.size()) % kLooks;
            if (i % kLineKinds == 0) // all lines of this hue
                free = (free + 1) % kLooks;
        }
        taken.at(free) = run;
        looks.push_back(lookOfSeries(free));
    }
    return looks;
}

} // namespace accrue
