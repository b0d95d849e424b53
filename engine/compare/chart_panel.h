// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/run_looks.h"
#include "engine/runs/run_record.h"

#include <functional>
#include <string>
#include <vector>

namespace accrue {

// A line chart, before it is drawn.

struct ChartInterval {
    double x = 0;
    double low = 0;
    double high = 0;
};

struct ChartLine {
    std::string name;
    RunLook look {};
    std::vector<SeriesPoint> points {}; // in order of x; the line is broken at what is not finite
    bool hasDots = false;
    bool isFaint = false;
    // Drawn behind the line and cut off at the edges of the plot: the range of y follows the lines.
    std::vector<ChartInterval> band {};
};

struct ChartAxis {
    std::string title {}; // below the axis of x; that of y is the panel's
    std::function<std::string(double)> text {}; // of a tick; empty: as formatNumber
    double base = 10; // of the powers whose multiples the ticks are: 1024 for bytes
    bool isLogarithmic = false; // values that are not above 0 are left out
    bool fromZero = false; // to a round number above the highest value
    std::vector<double> ticks {}; // empty: they are chosen
};

struct ChartPanel {
    std::string title;
    ChartAxis x {};
    ChartAxis y {};
    std::vector<ChartLine> lines {};
};

} // namespace accrue
