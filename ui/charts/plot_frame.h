// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/chart_picture.h"
#include "ui/charts/plot.h"
#include "ui/charts/plot_axes.h"

#include <QPixmap>

#include <optional>
#include <vector>

namespace accrue {

class LiveDescription;
class PlotInput;
struct PlotLook;

// The frame of every chart: title, legend, axes with ticks, hover box, keyboard, description for
// screen readers and picture, around a plot that the derived chart paints (Plot). The layout is our
// own, because the plot must stay where it is when a tick label grows. While the mouse is over it
// the painted chart is stored, so that moving the hover line draws no data again. Follows the
// palette. GUI thread.
class PlotFrame : public PicturedChart, protected Plot {
    Q_OBJECT
public:
    void setEmptyText(const QString& text); // shown and described while there is no data
    // How y is written, at ticks and in the hover box, and which ticks there are.
    void setValueFormatter(ValueFormatter text, PlotAxis::Ticks ticks = PlotAxis::Ticks::Round);
    // Pixels from the left edge to where the plot begins: what titles and tick labels need, and at
    // least what was set, so that plots above each other begin at one place.
    int neededLeft() const { return m_neededLeft; }
    void setLeastLeft(int pixels);
    // Where mouse or keyboard point, as the chart counts its stops (see Plot).
    const std::optional<double>& stop() const;
    // A stop of another chart over the same x axis, shown as a line; empty: none.
    void showLinkedStop(const std::optional<double>& stop);
    // Pixels at the right end of the title's row that buttons over the chart take.
    void setRoomForButtons(int pixels);

    void paintPicture(QPainter& painter, Medium medium) override;
    QSize sizeHint() const override { return { 480, 280 }; }
    QSize minimumSizeHint() const override { return { 220, 96 }; }

Q_SIGNALS:
    void neededLeftChanged();
    void stopChanged();

protected:
    explicit PlotFrame(QWidget* parent);

    // For derived charts: the data, the axes or a text changed; only data and only from that pixel
    // on to the right; only what paintMarks paints.
    void contentChanged() override;
    void contentGrew(double fromPixel);
    void marksChanged();
    void forgetLayout() { m_labelWidth = 0; } // the width for tick labels may shrink again
    void forgetStop();

    void paintStopLine(QPainter& painter, double x) const; // pixels

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

    PlotAxes m_axes; // the derived chart sets their ranges, this class their places

private:
    void layOut();
    void paintAll(QPainter& painter, const QRectF& exposed, Medium medium); // but hover and focus
    void paintTitle(QPainter& painter, const PlotLook& look, const QRectF& exposed) const;
    void paintGrid(QPainter& painter, const PlotLook& look) const;
    void paintTicks(QPainter& painter, const PlotLook& look, const QRectF& exposed) const;
    void paintAxisTitles(QPainter& painter, const PlotLook& look, const QRectF& exposed) const;
    const QPixmap& painted();

    QString m_emptyText;
    PlotLegend m_legend;
    PlotInput* m_input; // a child
    LiveDescription* m_description; // a child
    std::vector<double> m_xTicks; // axis units
    std::vector<double> m_yTicks;
    double m_labelWidth = 0; // pixels of the y axis's labels; grows only
    int m_neededLeft = 0;
    int m_leastLeft = 0;
    int m_roomForButtons = 0;
    QPixmap m_painted; // the chart while the mouse is over it; null: not painted yet
};

} // namespace accrue
