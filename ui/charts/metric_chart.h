// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/chart_curve.h"
#include "ui/charts/curve_layer.h"
#include "ui/charts/xy_chart.h"

#include <QStringList>

#include <vector>

namespace accrue {

// A line chart of metrics. Hover shows the values of all curves at that x; drag zooms, a double
// click or Escape returns. A stop (see Plot) is an x. GUI thread. Repaints cost about 1 µs a point:
// give it thinned points, a few times a second.
class MetricChart : public XyChart {
    Q_OBJECT
public:
    explicit MetricChart(QWidget* parent = nullptr)
        : XyChart(parent)
    {
    }

    // Replaces everything that is drawn. Curves are drawn in their order, faint ones first.
    void setCurves(std::vector<ChartCurve> curves);
    const std::vector<ChartCurve>& curves() const { return m_curves; }
    void setMarkers(std::vector<ChartMarker> markers);
    const std::vector<ChartMarker>& markers() const { return m_markers; }
    void setLevels(std::vector<ChartLevel> levels);
    const std::vector<ChartLevel>& levels() const { return m_levels; }
    void setRibbons(std::vector<ChartRibbon> ribbons);
    const std::vector<ChartRibbon>& ribbons() const { return m_ribbons; }
    // The text of the hover box at x; one line per curve, "title: value".
    QStringList valuesAt(double x) const;

protected:
    bool isEmpty() const override;
    QString description() const override; // the last value of each curve
    std::vector<LegendEntry> legend() const override; // of two curves or ribbons, or more
    void paintData(QPainter& painter, const QRectF& exposed, Medium medium) override;
    void paintMarks(QPainter& painter) const override;
    double roomAbove(double lineHeight) const override;
    void axesMoved() override { m_lines.invalidate(); }
    std::optional<double> stopAt(const QPointF& pixel) const override;
    std::optional<double> nextStop(const std::optional<double>& from, int direction) const override;
    HoverBox boxAt(double stop) const override;
    void paintStop(QPainter& painter, double stop) const override;
    CurveExtent extent() const override;

private:
    std::vector<HoverRow> rowsAt(double x) const;
    QStringList notesAt(double x) const; // texts of the markers there

    std::vector<ChartCurve> m_curves;
    std::vector<ChartMarker> m_markers;
    std::vector<ChartLevel> m_levels;
    std::vector<ChartRibbon> m_ribbons;
    CurveLayer m_lines;
};

} // namespace accrue
