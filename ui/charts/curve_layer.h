// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/chart_curve.h"

#include <QGraphicsScene>
#include <QPen>

#include <vector>

class QChart;
class QLineSeries;
class QValueAxis;

namespace accrue {

struct PlotAxes;

// The lines of curves, drawn by Qt Charts on a scene that no view shows: its lines are reused
// between paints, and only visible ones are painted. Leaves out curves with levels. GUI thread.
class CurveLayer {
public:
    CurveLayer();

    void invalidate() { m_valid = false; } // curves, axes or area changed
    // Paints with antialiasing where the points are few enough for it.
    void paint(QPainter& painter, const QRectF& exposed, const PlotAxes& axes,
        const std::vector<ChartCurve>& curves);

private:
    void fill(const PlotAxes& axes, const std::vector<ChartCurve>& curves);
    void addLine(const ChartCurve& curve, const QList<QPointF>& line);
    void addSeries(const ChartCurve& curve, const QList<QPointF>& points);
    QLineSeries* seriesAt(std::size_t index);

    QGraphicsScene m_scene;
    QChart* m_chart; // owned by the scene
    QValueAxis* m_xAxis; // owned by the chart, as the series are
    QValueAxis* m_yAxis;
    std::vector<QLineSeries*> m_series; // reused
    std::size_t m_used = 0; // of them, while they are filled
    bool m_valid = false;
};

// Paints one curve, lines and dots, by shapes of its own: each line in one piece, which Qt Charts
// draws point by point, and cut at the plot's edges.
void writeCurve(QPainter& painter, const PlotAxes& axes, const ChartCurve& curve);
void writeCurve(QPainter& painter, const PlotAxes& axes, const ChartCurve& curve, const QPen& pen);

} // namespace accrue
