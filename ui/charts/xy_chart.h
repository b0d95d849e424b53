// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/axis_range.h"
#include "ui/charts/curve_segments.h"
#include "ui/charts/plot_frame.h"

#include <limits>
#include <optional>

namespace accrue {

// What is shown of an axis, in axis units.
struct AxisSpan {
    double low = 0;
    double high = 1;
    bool operator==(const AxisSpan&) const = default;
};

// A chart whose axes follow its data: they grow by steps of round numbers, so that they do not jump
// while a run is live, can be logarithmic, and zoom one by one. GUI thread.
class XyChart : public PlotFrame {
    Q_OBJECT
public:
    void setAxisTitles(const QString& x, const QString& y);
    void setXFormatter(ValueFormatter text, PlotAxis::Ticks ticks = PlotAxis::Ticks::Round);
    void setLogX(bool on); // points with x ≤ 0 are left out
    void setLogY(bool on); // points with y ≤ 0 are left out
    // The range that an axis shows at least, for example 0..1; NaN leaves an end free. Charts of
    // one run that receive the same x range show a step at the same share of their width; a hint
    // within the current range costs nothing.
    void setXRangeHint(double low, double high);
    void setYRangeHint(double low, double high);
    // Forgets the grown axes and the zoom: for another run or another metric.
    void resetAxes();

    bool isZoomed() const override { return m_xZoom || m_yZoom; }
    void resetZoom() override;
    // Empty: all of x is shown. Setting it emits no xZoomed.
    const std::optional<AxisSpan>& xZoom() const { return m_xZoom; }
    void setXZoom(const std::optional<AxisSpan>& zoom);
    bool isLogX() const { return m_axes.x.logarithmic; }
    bool isLogY() const { return m_axes.y.logarithmic; }
    // Lowest and highest x and y that are shown, in data units.
    QRectF visibleRange() const;

Q_SIGNALS:
    void zoomChanged(bool zoomed);
    void xZoomed(); // by mouse or keyboard, or reset by them
    void logYChanged(bool on); // also by the context menu

protected:
    explicit XyChart(QWidget* parent);

    virtual CurveExtent extent() const = 0; // of what the axes follow
    // Where the x axis begins: at the data, unless that may move to the left.
    virtual Grow xGrowth() const { return Grow::HighOnly; }
    virtual void zoomMoves() { } // before it is shown: perhaps one of many changes
    bool followData(); // moves the axes; false: they did not change
    void showData(); // moves the axes and shows all that changed
    void chooseRangesAgain(); // ranges that grew; the zoom stays

    bool canZoom() const override { return true; }
    void zoomTo(const QRect& pixels) override;
    void zoomBy(const QPointF& pixel, double xFactor, double yFactor) override;
    void panBy(const QPointF& pixels) override;
    void addMenuActions(QMenu& menu) override;

private:
    static constexpr double kFree = std::numeric_limits<double>::quiet_NaN();

    struct Follower {
        // The range that holds the hint, too.
        AxisRange widened(double low, double high, const PlotAxis& axis) const;

        double least = kFree; // the hint, data units
        double most = kFree;
        std::optional<AxisRange> range {}; // grown so far
    };

    AxisSpan fullX() const; // beside the data, so that a dot at either end is not cut in two
    AxisSpan fullY() const;
    // True: what is shown of x has changed.
    bool applyZoom(const std::optional<AxisSpan>& x, const std::optional<AxisSpan>& y);
    void setZoom(const std::optional<AxisSpan>& x, const std::optional<AxisSpan>& y); // by the user

    Follower m_x;
    Follower m_y;
    std::optional<AxisSpan> m_xZoom;
    std::optional<AxisSpan> m_yZoom;
};

} // namespace accrue
