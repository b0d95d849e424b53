// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/axis_range.h"
#include "ui/charts/curve_segments.h"
#include "ui/charts/metric_chart.h"

#include <QChartView>
#include <QPixmap>
#include <QStringList>

#include <vector>

QT_BEGIN_NAMESPACE
class QLineSeries;
class QValueAxis;
QT_END_NAMESPACE

namespace accrue {

class ChartHover;
class LiveDescription;

// Everything that a chart shows, computed by MetricChart; the canvas only paints it.
struct ChartContent {
    QString title;
    QString xTitle;
    QString yTitle;
    QString emptyText;
    MetricChart::Formatter xText;
    MetricChart::Formatter yText;
    ChartScale scale;
    bool legend = true;
    bool zoomed = false;
    QRectF window; // shown, in axis units; top is the lowest y
    int leastLeft = 0; // pixels left of the plot
    std::vector<ChartCurve> curves;
    std::vector<ChartMarker> markers;
    std::vector<ChartLevel> levels;
    std::vector<ChartRibbon> ribbons;
    bool yInBytes = false;
    bool xInPowersOfTwo = false; // where scale.logX
};

// Qt Charts draws the lines; title, legend, grid, ticks and marks are painted here, because an own
// layout keeps the plot where it is when a tick label grows. While the mouse is over it the picture
// is kept, so that moving the hover line draws no line of data again.
class ChartCanvas : public QChartView {
    Q_OBJECT
public:
    explicit ChartCanvas(ChartContent& content, QWidget* parent = nullptr);

    const ChartContent& content() const { return m_content; }
    void contentChanged(); // curves, window or texts
    void curvesGrew(double fromX); // only curves, and only from there on (data units)
    void invalidate(); // what is painted over the curves changed
    QRectF plot() const { return m_plot; }
    double axisX(double pixel) const;
    double pixelX(double axisX) const;
    double pixelY(double axisY) const;
    bool isEmpty() const;
    // Everything but the hover box.
    void drawAll(QPainter& painter);
    // The same for painters that write down what they are told: each line in one piece, which Qt
    // Charts draws point by point, and cut at the plot's edges.
    void drawVector(QPainter& painter);
    void forgetLayout(); // the width for tick labels may shrink again
    int neededLeft() const { return m_neededLeft; } // pixels left of the plot, for its labels

    QStringList linesAt(double x) const; // "title: value" of each curve, x in data units
    QString lastValues() const; // of each curve, in words

Q_SIGNALS:
    void windowChosen(const QRectF& window); // by dragging, in axis units
    void zoomLeft();
    void neededLeftChanged();

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    static constexpr double kEdge = 8; // pixels around and between
    static constexpr double kSwatch = 22; // a legend's line: dashes and dots are told apart

    struct LegendEntry {
        std::optional<QPen> pen; // of the line before it; none: how many more there are
        Qt::PenStyle ring = Qt::NoPen;
        QString text;
        QRectF rect;
    };

    // What a text had better not hide, the worst first.
    struct Clutter {
        std::vector<QRectF> texts;
        std::vector<QPointF> dots;
        std::vector<QPointF> ofLines;
    };

    void layOut();
    double layOutLegend(double top); // the height it needs
    void prepareSeries();
    void fillSeries();
    QPen linePen(const ChartCurve& curve) const;
    std::vector<QList<QPointF>> segmentsOfCurve(const ChartCurve& curve) const;
    void drawLine(const ChartCurve& curve, const QList<QPointF>& line, bool dots);
    void fillNext(const ChartCurve& curve, const QList<QPointF>& points, bool dots);
    void writeCurves(QPainter& painter) const;
    void writeCurve(QPainter& painter, const ChartCurve& curve) const;
    void writeLine(QPainter& painter, const ChartCurve& curve, const QList<QPointF>& line) const;
    void writeDots(QPainter& painter, const ChartCurve& curve, const QList<QPointF>& points) const;
    QLineSeries* seriesAt(std::size_t index);
    const QPixmap& picture();
    std::vector<double> xTicks(int wanted) const;
    std::vector<double> roundXTicks(int wanted) const;
    std::vector<double> yTicks(int wanted) const;
    void drawGrid(QPainter& painter) const;
    void drawRibbons(QPainter& painter) const;
    void drawLoneDots(QPainter& painter) const;
    void drawLevels(QPainter& painter) const;
    QRectF placeOfLevel(double y, const QSizeF& size, const Clutter& clutter) const;
    Clutter clutter() const;
    void drawOnGround(QPainter& painter, const QRectF& place, int align, const QString& text) const;
    void drawTicks(QPainter& painter, const QRectF& rect) const;
    void drawFocus(); // where the keyboard is
    void drawTitles(QPainter& painter, const QRectF& rect) const;
    void drawAxisTitles(QPainter& painter, const QRectF& rect) const;
    void drawLegend(QPainter& painter, const QRectF& rect) const;
    void drawMarkers(QPainter& painter) const;
    void drawMarkerLabels(QPainter& painter) const;
    void drawNonFinite(QPainter& painter) const;
    QColor muted(double share) const; // text mixed into the ground
    QFont smallFont() const;

    ChartContent& m_content; // borrowed from MetricChart, which owns the canvas
    QChart* m_chart = nullptr;
    QValueAxis* m_xAxis = nullptr;
    QValueAxis* m_yAxis = nullptr;
    ChartHover* m_hover = nullptr;
    LiveDescription* m_description = nullptr;
    std::vector<QLineSeries*> m_series; // owned by m_chart, reused
    std::size_t m_used = 0; // of them, while they are filled
    std::vector<LegendEntry> m_legend;
    std::vector<double> m_xTicks;
    std::vector<double> m_yTicks;
    QRectF m_plot;
    double m_labelWidth = 0; // grows only
    int m_neededLeft = 0;
    bool m_writesCurves = false; // instead of Qt Charts
    QPixmap m_picture;
    bool m_pictureValid = false;
    bool m_seriesValid =
        false; // the lines are filled when they are painted: a hidden chart is free
    QPoint m_pressed;
    bool m_dragging = false;
};

} // namespace accrue
