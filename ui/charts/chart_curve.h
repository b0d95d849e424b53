// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"
#include "ui/run/curve_levels.h"

#include <QColor>
#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace accrue {

using ValueFormatter = std::function<QString(double)>;

// Of a mean over runs, at one place.
struct CurveSpread {
    double low = 0;
    double high = 0;
    int runs = 0;
    bool isInterval = false; // around the mean, otherwise lowest and highest
    bool operator==(const CurveSpread&) const = default;
};

// One line. Points are in rising x; non-finite y leave a gap and are marked at the lower edge.
struct ChartCurve {
    QString title; // empty: not in the legend and not in the hover box
    QColor color;
    bool faint = false; // drawn behind, for the original of a smoothed curve
    Qt::PenStyle line = Qt::SolidLine; // NoPen: dots alone
    std::vector<SeriesPoint> points {};
    bool isFormula = false; // computed, not measured: its points are not drawn as dots
    Qt::PenStyle shape = Qt::NoPen; // of dots without a line, as markOf has it; NoPen: discs
    std::vector<QString> pointTitles {}; // of each point in the hover box; empty: the title
    // Every point. The chart then fills `points` with as many of them as what it shows needs.
    std::shared_ptr<const CurveLevels> levels {};
    // Of a smoothed curve with levels: what was measured, beside the value in the hover box.
    std::shared_ptr<const CurveLevels> measured {};
    long long key = 0; // what it is of, for MetricChart::emphasise; 0: nothing that is emphasised
    std::vector<CurveSpread> spread {}; // of each point of `levels`; empty: this is no mean

    bool operator==(const ChartCurve&) const = default;
};

// Something that happened at x; a thin vertical line with its text on hover.
struct ChartMarker {
    double x = 0;
    QString text;
    QColor color;
    QString label {}; // beside the line, always visible; for few markers
    bool hasLine = true; // otherwise only the sign above the plot

    bool operator==(const ChartMarker&) const = default;
};

// A horizontal line across the chart, with its text on it. The y axis holds it.
struct ChartLevel {
    double y = 0;
    QString text;
    QColor color;

    bool operator==(const ChartLevel&) const = default;
};

// A filled stretch between two curves, behind everything; the axes do not follow it.
struct ChartRibbon {
    struct Edge {
        double x = 0;
        double low = 0;
        double high = 0;
        bool operator==(const Edge&) const = default;
    };
    QColor color;
    std::vector<Edge> edges; // in rising x
    QString title {}; // empty: not in the legend
    long long key = 0; // as ChartCurve's

    bool operator==(const ChartRibbon&) const = default;
};

} // namespace accrue
