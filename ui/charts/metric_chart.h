// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_record.h"

#include <QColor>
#include <QPen>
#include <QString>
#include <QWidget>

#include <functional>
#include <memory>
#include <vector>

namespace accrue {

// One line. Points are in rising x; non-finite y leave a gap and are marked at the lower edge.
struct ChartCurve {
    QString id; // keeps its identity between calls of setCurves
    QString title; // empty: not in the legend and not in the hover box
    QColor color;
    bool faint = false; // drawn behind, for the original of a smoothed curve
    Qt::PenStyle line = Qt::SolidLine; // NoPen: dots alone
    std::vector<SeriesPoint> points;
    bool isFormula = false; // computed wherever it is drawn: its points are no dots
    double shift = 0; // pixels that its points stand beside their place, to be seen apart
    Qt::PenStyle ring = Qt::NoPen; // around dots that stand alone; NoPen: none

    bool operator==(const ChartCurve&) const = default;
};

// How a line looks wherever it is shown: chart, legend, hover box, a run's dot.
QPen penOf(const QColor& color, Qt::PenStyle line, double width);

// Something that happened at x; a thin vertical line with its text on hover.
struct ChartMarker {
    double x = 0;
    QString text;
    QColor color;
    QString label {}; // beside the line, always in sight; for few markers

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

    bool operator==(const ChartRibbon&) const = default;
};

// A line chart of metrics. Hover shows the values of all curves at that x; drag zooms, a double
// click or Escape returns. The axes grow by steps of round numbers and do not jump while a run is
// live. Follows the palette. GUI thread. Repaints cost about 1 µs a point: give it thinned points,
// a few times a second.
class MetricChart : public QWidget {
    Q_OBJECT
public:
    using Formatter = std::function<QString(double)>;

    explicit MetricChart(QWidget* parent = nullptr);
    ~MetricChart() override;

    void setTitle(const QString& title);
    QString title() const;
    void setAxisTitles(const QString& x, const QString& y);
    void setValueFormatter(Formatter formatter); // of y: ticks and hover box
    void setXFormatter(Formatter formatter);
    // Replaces everything that is drawn. Curves are drawn in their order, faint ones first.
    void setCurves(std::vector<ChartCurve> curves);
    const std::vector<ChartCurve>& curves() const;
    void setMarkers(std::vector<ChartMarker> markers);
    const std::vector<ChartMarker>& markers() const;
    void setLevels(std::vector<ChartLevel> levels);
    const std::vector<ChartLevel>& levels() const;
    void setRibbons(std::vector<ChartRibbon> ribbons);
    const std::vector<ChartRibbon>& ribbons() const;
    // y is bytes: ticks stand at round numbers of KiB, MiB or GiB, on a logarithmic axis at powers
    // of two.
    void setYInBytes(bool on);
    // x is counted in powers of two: a logarithmic axis with ticks there.
    void setXInPowersOfTwo(bool on);
    void setLogX(bool on); // points with x ≤ 0 are left out
    void setLogY(bool on); // points with y ≤ 0 are left out
    void setLegendVisible(bool visible); // on by default
    void setEmptyText(const QString& text); // shown while no curve has a point
    // What an axis holds at least, for example 0..1; NaN leaves an end free. Charts of one run that
    // are given the same x range show a step at the same share of their width; a hint that the axis
    // holds already costs nothing.
    void setXRangeHint(double low, double high);
    void setYRangeHint(double low, double high);
    // Pixels from the left edge to where the plot begins: what titles and tick labels need, and at
    // least what was set, so that plots above each other begin at one place.
    int neededLeft() const;
    void setLeastLeft(int pixels);
    // Forgets the grown axes and the zoom: for another run or another metric.
    void resetAxes();

    bool isZoomed() const;
    void resetZoom();
    // Lowest and highest x and y that are shown, in data units.
    QRectF visibleRange() const;
    // What the hover box says at x: one line a curve, "title: value".
    QStringList valuesAt(double x) const;

    // False: the file could not be written. Drawn as on screen, without hover box.
    bool saveSvg(const QString& path) const;
    bool savePng(const QString& path) const; // at twice the size
    // As savePictureOf (chart_picture.h).
    void savePicture(const QString& path, std::function<void(bool written)> done);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void zoomChanged(bool zoomed);
    void logYChanged(bool on); // also by the context menu
    void neededLeftChanged();
    void pictureRequested(); // from the context menu: the page asks where to

protected:
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QByteArray svg() const;

    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace accrue
