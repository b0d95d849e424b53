// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/chart_curve.h"
#include "ui/charts/curve_layer.h"
#include "ui/charts/xy_chart.h"

#include <QStringList>
#include <QTimer>

#include <vector>

namespace accrue {

// A line chart of metrics. Hover shows the values of all curves at that x, the highest first; drag
// zooms, a double click or Escape returns. A stop (see Plot) is an x. GUI thread. Curves with
// levels are drawn as finely as the chart is wide, in microseconds; of others give it thinned
// points, a few times a second, because a repaint costs about 1 µs a point.
class MetricChart : public XyChart {
    Q_OBJECT
public:
    explicit MetricChart(QWidget* parent = nullptr);

    // Replaces everything that is drawn. Curves are drawn in their order, faint ones first.
    void setCurves(std::vector<ChartCurve> curves);
    const std::vector<ChartCurve>& curves() const { return m_curves; }
    CurveExtent curveExtent() const { return extent(); } // axis units; of levels, too
    void setMarkers(std::vector<ChartMarker> markers);
    const std::vector<ChartMarker>& markers() const { return m_markers; }
    void setLevels(std::vector<ChartLevel> levels);
    const std::vector<ChartLevel>& levels() const { return m_levels; }
    void setRibbons(std::vector<ChartRibbon> ribbons);
    const std::vector<ChartRibbon>& ribbons() const { return m_ribbons; }
    void setLegendShown(bool shown); // not where the page has a legend of its own
    // Shows the curves of that key before the others, which fade; 0: none.
    void emphasise(long long key);
    // The y axis holds what nearly all points have; the others leave the plot.
    void setOutliersIgnored(bool ignored);
    bool outliersIgnored() const { return m_outliersIgnored; }
    // The text of the hover box at x; one line per curve, "title: value".
    QStringList valuesAt(double x) const;

Q_SIGNALS:
    void curvePointedAt(long long key); // by the mouse; 0: none
    void outliersIgnoredChanged(bool ignored); // also by the context menu

protected:
    bool isEmpty() const override;
    QString description() const override; // the last value of each curve
    std::vector<LegendEntry> legend() const override; // of two curves or ribbons, or more
    void paintData(QPainter& painter, const QRectF& exposed, Medium medium) override;
    void paintMarks(QPainter& painter) const override;
    double roomAbove(double lineHeight) const override;
    void axesMoved() override;
    void zoomMoves() override;
    void mouseAt(const std::optional<QPointF>& pixel) override;
    void addMenuActions(QMenu& menu) override;
    std::optional<double> stopAt(const QPointF& pixel) const override;
    std::optional<double> nextStop(const std::optional<double>& from, int direction) const override;
    HoverBox boxAt(double stop) const override;
    void paintStop(QPainter& painter, double stop) const override;
    CurveExtent extent() const override;

private:
    bool isShown(const ChartCurve& curve) const;
    QPen penFor(const ChartCurve& curve) const;
    void paintLong(QPainter& painter) const; // the curves with levels
    std::vector<HoverRow> rowsAt(double x) const;
    QStringList notesAt(double x) const; // texts of the markers there

    std::vector<ChartCurve> m_curves;
    std::vector<ChartMarker> m_markers;
    std::vector<ChartLevel> m_levels;
    std::vector<ChartRibbon> m_ribbons;
    CurveLayer m_lines;
    long long m_emphasised = 0;
    long long m_pointedAt = 0;
    QTimer m_rest; // since the zoom moved; until its end, curves with levels are drawn coarsely
    bool m_legendShown = true;
    bool m_outliersIgnored = false;
};

} // namespace accrue
