// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/insight/pareto_front.h"
#include "ui/relations/run_points.h"

#include <QColor>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace accrue {

// One of the numbers that runs are judged by together.
struct ParetoGoal {
    const NumberColumn* number; // borrowed
    Better better; // Lower or Higher
};
// What the table of metrics says; lower, where it says nothing.
Better usualDirection(const NumberColumn& number);

struct ParetoPicture {
    std::vector<RunId> front; // in the order of the runs
    std::size_t compared = 0; // shown runs that have all the numbers
    std::optional<ScatterLine> line; // steps over the first two numbers, if there is no third

    bool isOnFront(RunId run) const;
};

// Of the runs that are shown. `goals` are of x, y, and perhaps a third number. Pure.
ParetoPicture paretoPicture(
    const PointRuns& runs, const std::vector<ParetoGoal>& goals, const QColor& color);
// "5 of 12 runs are on the front: #3, #7, #8, #9, #12"
QString frontSentence(const ParetoPicture& picture);

} // namespace accrue
