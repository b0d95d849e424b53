// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/xy_chart.h"

#include <QColor>
#include <QString>
#include <QStringList>

#include <optional>
#include <unordered_set>
#include <vector>

class QFontMetricsF;

namespace accrue {

struct ScatterPoint {
    double x = 0;
    double y = 0;
    long long key = 0; // what the point is of; unique in the chart
    QString title {}; // at the head of the hover box
    QColor color {};
    Qt::PenStyle line = Qt::SolidLine; // the shape stands for it (markOf)
    QStringList notes {}; // lines below the two numbers
    QString label {}; // beside the point, where there is room; empty: none
    bool isPale = false;
    double shift = 0; // pixels by which it is moved sideways, to be seen beside others
    bool operator==(const ScatterPoint&) const = default;
};

// A line over the points, straight between its corners on any axes; the axes do not follow it.
struct ScatterLine {
    std::vector<QPointF> corners; // data units
    QColor color {};
    Qt::PenStyle style = Qt::SolidLine;
    QString title {}; // empty: not in the legend
    QString meaning {}; // of its entry in the legend
    std::vector<QPointF> band {}; // an outline that is filled; empty: none
    bool operator==(const ScatterLine&) const = default;
};

// What colours mean: categories or runs with a mark each, and a scale of values.
struct ScatterEntry {
    QString title;
    QColor color {};
    Qt::PenStyle line = Qt::SolidLine;
    bool operator==(const ScatterEntry&) const = default;
};
struct ScatterScale {
    QString title;
    QString low; // the value of its first colour
    QString high;
    std::vector<QColor> colors; // from low to high
    bool operator==(const ScatterScale&) const = default;
};

// What the colours and lines of runs mean, wherever they are drawn.
struct StyleKey {
    std::vector<ScatterEntry> colors {};
    std::vector<ScatterEntry> lines {};
    std::optional<ScatterScale> scale {}; // instead of colours that are told apart

    bool isEmpty() const { return colors.empty() && lines.empty() && !scale; }
    std::vector<ScatterEntry> entries() const; // colours, then lines
    bool operator==(const StyleKey&) const = default;
};
PlotSign signOf(const ScatterScale& scale, const QFontMetricsF& metrics); // with its ends

struct ScatterContent {
    std::vector<ScatterPoint>
        points {}; // in any order; those that an axis cannot show are left out
    std::vector<ScatterLine> lines {};
    std::vector<ScatterEntry> entries {};
    std::optional<ScatterScale> scale {};
    bool operator==(const ScatterContent&) const = default;
};

// Points over two axes, each linear or logarithmic. Hover shows the point under the mouse; Left and
// Right step from point to point in the order of x. What is selected is drawn as it is, and all
// else faded. A stop (see Plot) is the key of a point, so that it stays where the point moves. GUI
// thread.
class ScatterChart : public XyChart {
    Q_OBJECT
public:
    using Keys = std::vector<long long>;

    explicit ScatterChart(QWidget* parent = nullptr)
        : XyChart(parent)
    {
    }

    void setContent(ScatterContent content);
    const ScatterContent& content() const { return m_content; }
    void setSelected(const Keys& keys);
    void setPointedAt(const Keys& keys); // by another view: they get a ring
    // BothEnds, unless the x of no point can move: a live run's point may move to the left.
    void setXGrowth(Grow growth) { m_xGrowth = growth; }
    void setDragSelects(bool on) { m_dragSelects = on; } // without the Control key
    std::optional<long long> pointedAt() const; // by mouse or keyboard here
    QPointF placeOf(long long key) const; // pixels; not finite: it is not shown
    QStringList valuesAt(long long key) const; // of the hover box, a line for each row

Q_SIGNALS:
    void selectionRequested(const std::vector<long long>& keys);

protected:
    bool isEmpty() const override { return m_dots.empty(); }
    QString description() const override; // of the stop, the selected points, the others
    std::vector<LegendEntry> legend() const override;
    void paintData(QPainter& painter, const QRectF& exposed, Medium medium) override;
    std::optional<double> stopAt(const QPointF& pixel) const override;
    std::optional<double> nextStop(const std::optional<double>& from, int direction) const override;
    HoverBox boxAt(double stop) const override;
    void paintStop(QPainter& painter, double stop) const override;
    bool canSelect() const override { return true; }
    bool dragSelects() const override { return m_dragSelects; }
    void selectAt(const std::optional<double>& stop, bool adds) override;
    void selectInside(const QRectF& pixels, bool adds) override;
    bool deselect() override;
    CurveExtent extent() const override;
    Grow xGrowth() const override { return m_xGrowth; }
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void sortDots();
    const ScatterPoint* pointOf(double stop) const; // null: it is gone
    QPointF pixelOf(const ScatterPoint& point) const;
    bool isInSight(const ScatterPoint& point) const;
    bool isSelected(const ScatterPoint& point) const { return m_isSelected.contains(point.key); }
    double opacityOf(const ScatterPoint& point) const;
    void paintPoint(QPainter& painter, const ScatterPoint& point, const QColor& outline) const;
    void paintLabels(QPainter& painter) const;
    QString textOf(const ScatterPoint& point) const;

    ScatterContent m_content;
    std::vector<const ScatterPoint*> m_dots; // of m_content, from left to right
    Keys m_selected; // in their order
    std::unordered_set<long long> m_isSelected; // the same, to be found
    bool m_isAnySelected = false; // of the points
    Keys m_pointedAt;
    bool m_dragSelects = false;
    Grow m_xGrowth = Grow::BothEnds;
};

} // namespace accrue
