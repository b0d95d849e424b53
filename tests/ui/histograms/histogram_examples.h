// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/histograms/run_histograms.h"

#include <QColor>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace accrue {

inline HistogramAtStep histogramAt(
    std::int64_t step, double least, double largest, std::vector<std::int64_t> counts)
{
    HistogramAtStep at;
    at.step = step;
    at.histogram.parameter = "conv1.weight";
    at.histogram.least = least;
    at.histogram.largest = largest;
    at.histogram.mean = (least + largest) / 2;
    at.histogram.deviation = (largest - least) / 4;
    at.histogram.counts = std::move(counts);
    return at;
}

// 64 bins of a bell around `mean`.
inline HistogramAtStep bellAt(std::int64_t step, double mean, double width)
{
    std::vector<std::int64_t> counts;
    for (int bin = 0; bin < 64; ++bin) {
        const double x = (bin - 31.5) / 10;
        counts.push_back(std::llround(1000 * std::exp(-x * x / 2)));
    }
    return histogramAt(step, mean - 3.2 * width, mean + 3.2 * width, std::move(counts));
}

inline HistogramPanel panelOf(long long key, const std::vector<HistogramAtStep>& steps)
{
    auto run = std::make_shared<RunHistograms>();
    run->run = RunId { key };
    run->names.parameters = { "conv1.weight" };
    for (const HistogramAtStep& step : steps)
        run->columns.push_back(columnOf(step));
    return { key, QStringLiteral("run-%1").arg(key), QColor(30, 90, 200), Qt::SolidLine, run };
}

inline HistogramPanels bells(int runs, int steps)
{
    HistogramPanels panels;
    for (int run = 1; run <= runs; ++run) {
        std::vector<HistogramAtStep> all;
        for (int step = 1; step <= steps; ++step)
            all.push_back(bellAt(step * 10, 0.01 * run, 1 + 0.01 * step));
        panels.push_back(panelOf(run, all));
    }
    return panels;
}

} // namespace accrue
