// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/plot_frame.h"

#include <QColor>
#include <QString>
#include <QStringList>

#include <vector>

namespace accrue {

// One layer of a stack; `values` at the chart's points.
struct ChartArea {
    QString title;
    QString meaning; // its tooltip in the legend
    QColor color;
    bool faint = false; // drawn on top of the others; not part of their sum
    std::vector<double> values;
};

// A span of x behind the areas.
struct ChartBand {
    double from = 0;
    double to = 0;
    QString title; // shown where those of all bands fit
    QString letter; // shown otherwise
    QColor color;
};

struct AreaContent {
    struct Point {
        double x = 0;
        QString title; // at the head of its hover box
    };
    std::vector<Point> points; // in rising x
    std::vector<ChartArea> areas; // from the bottom up; those that are 0 everywhere are not shown
    std::vector<ChartBand> bands;
};

// Areas stacked over each other, with bands behind them. Hover, or the arrow keys, show the values
// of all areas at the nearest point; the legend's tooltips, or the keys up and down, explain an
// area. A stop (see Plot) is the index of a point. GUI thread.
class AreaChart : public PlotFrame {
    Q_OBJECT
public:
    explicit AreaChart(QWidget* parent = nullptr);

    void setContent(AreaContent content);
    const AreaContent& content() const { return m_content; }
    // The text of the hover box at the nearest point: its head, one line per area, the sum.
    QStringList valuesAt(double x) const;
    bool isEmpty() const override { return m_content.points.empty(); }

    QSize sizeHint() const override { return { 640, 300 }; }
    QSize minimumSizeHint() const override { return { 320, 180 }; }

protected:
    QString description() const override; // of the stop, otherwise of the highest point
    std::vector<LegendEntry> legend() const override;
    void paintData(QPainter& painter, const QRectF& exposed, Medium medium) override;
    double roomAbove(double lineHeight) const override { return lineHeight + 2; } // bands' titles
    std::optional<double> stopAt(const QPointF& pixel) const override;
    std::optional<double> nextStop(const std::optional<double>& from, int direction) const override;
    HoverBox boxAt(double stop) const override;
    void paintStop(QPainter& painter, double stop) const override;

private:
    double sumAt(std::size_t point, bool withFaint) const;
    std::size_t nearestPoint(double x) const;
    std::size_t highestPoint() const; // of the whole stack
    std::vector<HoverRow> rowsAt(std::size_t point) const;
    QStringList linesAt(std::size_t point) const;
    void paintBands(QPainter& painter) const;
    void paintAreas(QPainter& painter) const;

    AreaContent m_content;
};

} // namespace accrue
