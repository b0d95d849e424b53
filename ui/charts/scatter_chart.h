// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/xy_chart.h"

#include <QColor>
#include <QString>

#include <vector>

namespace accrue {

enum class PointShape { Disc, Square, Diamond, Triangle };

// Points with one colour and one shape; the shape tells series apart where colours cannot.
struct ScatterSeries {
    struct Point {
        double x = 0;
        double y = 0;
        QString title; // at the head of the hover box; unique in the chart
        bool operator==(const Point&) const = default;
    };

    QString title; // empty: not in the legend
    QColor color;
    PointShape shape = PointShape::Disc;
    std::vector<Point> points; // in any order; those that an axis cannot show are left out

    bool operator==(const ScatterSeries&) const = default;
};

// Points over two axes, each linear or logarithmic. Hover shows the point under the mouse, Left and
// Right step from point to point in the order of x. A stop (see Plot) is the place of a point in
// that order. GUI thread.
class ScatterChart : public XyChart {
    Q_OBJECT
public:
    explicit ScatterChart(QWidget* parent = nullptr)
        : XyChart(parent)
    {
    }

    void setSeries(std::vector<ScatterSeries> series); // the stop is forgotten
    void setHighlighted(const QString& title); // the point that stands out; empty: none
    QString pointedAt() const; // title of the point that mouse or keyboard chose; empty: none

protected:
    bool isEmpty() const override { return m_dots.empty(); }
    QString description() const override; // of the stop, the highlighted point, the series
    std::vector<LegendEntry> legend() const override; // of two series or more
    void paintData(QPainter& painter, const QRectF& exposed, Medium medium) override;
    std::optional<double> stopAt(const QPointF& pixel) const override;
    std::optional<double> nextStop(const std::optional<double>& from, int direction) const override;
    HoverBox boxAt(double stop) const override;
    void paintStop(QPainter& painter, double stop) const override;
    CurveExtent extent() const override;

private:
    struct Dot { // both point into m_series
        const ScatterSeries* series;
        const ScatterSeries::Point* point;
    };
    const Dot& dotAt(double stop) const { return m_dots[static_cast<std::size_t>(stop)]; }
    QPointF pixelOf(const Dot& dot) const;
    bool isInSight(const Dot& dot) const;
    bool isHighlighted(const Dot& dot) const;

    std::vector<ScatterSeries> m_series;
    std::vector<Dot> m_dots; // from left to right
    QString m_highlighted;
};

} // namespace accrue
