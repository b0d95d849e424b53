// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/parameter_histograms.h"
#include "engine/runs/run_record.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace accrue {

// A histogram of one step, with the numbers that are drawn of it.
struct HistogramColumn {
    std::int64_t step = 0;
    ParameterHistogram histogram;
    // That so many percent of its finite numbers are below; NaN: it has none.
    double below05 = 0;
    double below5 = 0;
    double median = 0;
    double below95 = 0;
    double below995 = 0;
};
HistogramColumn columnOf(const HistogramAtStep& measured);

// What a run has logged of one parameter.
struct RunHistograms {
    RunId run {};
    HistogramNames names; // of all its parameters; empty: it has no histograms
    std::vector<HistogramColumn> columns {}; // by step
};

// A run as it is drawn.
struct HistogramPanel {
    long long key = 0; // unique
    QString title;
    QColor color;
    Qt::PenStyle line = Qt::SolidLine;
    std::shared_ptr<const RunHistograms> data; // with columns
    friend bool operator==(const HistogramPanel&, const HistogramPanel&) = default;
};
using HistogramPanels = std::vector<HistogramPanel>;

// The column whose step is nearest; of two, the earlier one. There must be one.
const HistogramColumn& columnAt(const HistogramPanel& panel, std::int64_t step);
std::vector<std::int64_t> stepsOf(const HistogramPanels& panels); // of all of them, rising

// What an axis of values shows.
struct ValueRange {
    double low = 0;
    double high = 1; // greater
};
enum class Outliers { Shown, Ignored };
// Of these panels at all steps, or at that one. Without outliers: where nearly all columns have 99
// % of their numbers.
ValueRange valueRange(const HistogramPanels& panels, Outliers outliers,
    std::optional<std::int64_t> step = std::nullopt);

} // namespace accrue
