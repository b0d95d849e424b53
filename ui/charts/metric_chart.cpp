// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/metric_chart.h"

#include "ui/charts/chart_marks.h"
#include "ui/charts/curve_look.h"
#include "ui/charts/curve_values.h"
#include "ui/charts/line_raster.h"
#include "ui/charts/plot_look.h"

#include <QAction>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace accrue {

namespace {

constexpr double kDotRoom = 8; // pixels that a point's dot or mark takes around it
// A sample of the line, wide enough to distinguish dashes and dots
constexpr double kSignWidth = 22;
constexpr int kFaintSign = 130; // of 255
constexpr double kRibbonHeight = 9; // of its sample
constexpr double kReach = 8; // pixels beside its points at which a curve still has a value
constexpr double kMarkerReach = 5; // pixels from a marker at which its text is shown
constexpr double kStep = 4; // pixels that an arrow key moves at least
constexpr qsizetype kMostNotes = 3;
constexpr double kPointing = 6; // pixels from the mouse to the curve that it points at
// Points of all curves up to which QPainter draws them, with dots; for more that takes too long.
constexpr std::size_t kOutlined = 400;
constexpr std::ptrdiff_t kFewOriginals = 4; // of smoothed curves, which are all drawn
constexpr int kFaint = 70; // of 255
constexpr int kFaded = 60; // while another curve is emphasised
constexpr int kCoarse = 400; // columns of a curve while the zoom moves
constexpr std::chrono::milliseconds kRest { 100 };

PlotSign signOf(const ChartCurve& curve)
{
    // The sign has copies of the look: it outlives the curve, since a chart that only grew has new
    // curves below the legend of before.
    const QColor shown = curve.faint ? withAlpha(curve.color, kFaintSign) : curve.color;
    const auto paint = [color = shown, line = curve.line, shape = curve.shape](
                           QPainter& painter, const QPointF& middle) {
        if (line == Qt::NoPen)
            return paintDot(painter, middle, color, shape);
        painter.setPen(penOf(color, line, 2));
        const QPointF half(kSignWidth / 2, 0);
        painter.drawLine(middle - half, middle + half);
    };
    return { kSignWidth, paint };
}

PlotSign signOf(const ChartRibbon& ribbon)
{
    const auto paint = [color = ribbon.color](QPainter& painter, const QPointF& middle) {
        const QPointF half(kSignWidth / 2, kRibbonHeight / 2);
        painter.fillRect(QRectF(middle - half, middle + half), color);
    };
    return { kSignWidth, paint };
}

double lowEnd(const CurveLevels::Extent& of, const PlotAxis& axis)
{
    return axis.axis(axis.logarithmic ? of.lowestPositive : of.low);
}

} // namespace

MetricChart::MetricChart(QWidget* parent)
    : XyChart(parent)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRest);
    connect(&m_rest, &QTimer::timeout, this, [this] { contentChanged(); });
}

// ---- what is shown ---------------------------------------------------------------------------

void MetricChart::setCurves(std::vector<ChartCurve> curves)
{
    // Compared with what is drawn, because the caller passes all curves with every look at the log,
    // changed or not.
    const std::optional<double> from = grownFrom(m_curves, curves);
    if (from && std::isinf(*from))
        return; // the same curves
    m_curves = std::move(curves);
    const bool moved = followData();
    if (!from || moved)
        return contentChanged();
    m_lines.invalidate();
    contentGrew(m_axes.x.pixelOf(*from) - kDotRoom);
}

void MetricChart::setMarkers(std::vector<ChartMarker> markers)
{
    if (markers == m_markers)
        return;
    // Swapped, because the earlier ones are needed for the comparison of heights.
    std::swap(m_markers, markers);
    // Labels are above the plot: one more of them moves everything below.
    if (roomForLabels(m_markers, 1) != roomForLabels(markers, 1))
        contentChanged();
    else
        marksChanged();
}

void MetricChart::setLevels(std::vector<ChartLevel> levels)
{
    if (levels == m_levels)
        return;
    m_levels = std::move(levels);
    showData();
}

void MetricChart::setRibbons(std::vector<ChartRibbon> ribbons)
{
    if (ribbons == m_ribbons)
        return;
    std::swap(m_ribbons, ribbons);
    const auto titles = [](const std::vector<ChartRibbon>& of) {
        QStringList all;
        for (const ChartRibbon& ribbon : of)
            all.append(ribbon.title);
        return all;
    };
    const bool moved = followData();
    // The legend is above the plot: one more entry may move everything below.
    if (moved || titles(m_ribbons) != titles(ribbons))
        contentChanged();
    else
        marksChanged();
}

bool MetricChart::isEmpty() const
{
    return std::all_of(m_curves.begin(), m_curves.end(), hasNoPoints);
}

// Levels belong to what the y axis holds; ribbons do not, except the interval of a single place:
// cut off at both ends it would not be one.
CurveExtent MetricChart::extent() const
{
    CurveExtent extent;
    for (const ChartCurve& curve : m_curves) {
        if (curve.levels) {
            const auto& x = curve.levels->xExtent();
            const auto& y = curve.levels->yExtent();
            extent.add(lowEnd(x, m_axes.x), lowEnd(y, m_axes.y));
            extent.add(m_axes.x.axis(x.high), m_axes.y.axis(y.high));
            continue;
        }
        for (const SeriesPoint& point : curve.points)
            extent.add(m_axes.x.axis(point.x), m_axes.y.axis(point.y));
    }
    if (m_outliersIgnored)
        extent = withoutOutliers(extent, m_curves, m_axes.y);
    for (const ChartRibbon& ribbon : m_ribbons)
        if (ribbon.edges.size() == 1)
            for (const double end : { ribbon.edges.front().low, ribbon.edges.front().high })
                extent.add(m_axes.x.axis(ribbon.edges.front().x), m_axes.y.axis(end));
    for (const ChartLevel& level : m_levels)
        extent.add(extent.lowX, m_axes.y.axis(level.y)); // alone it would not say which x to show
    return extent;
}

void MetricChart::setOutliersIgnored(bool ignored)
{
    if (std::exchange(m_outliersIgnored, ignored) == ignored)
        return;
    chooseRangesAgain();
    Q_EMIT outliersIgnoredChanged(ignored);
}

void MetricChart::setLegendShown(bool shown)
{
    m_legendShown = shown;
    contentChanged();
}

QString MetricChart::description() const
{
    QStringList values;
    for (const ChartCurve& curve : m_curves) {
        if (hasNoPoints(curve) || curve.title.isEmpty())
            continue;
        const SeriesPoint last =
            curve.levels ? curve.levels->at(curve.levels->size() - 1) : curve.points.back();
        values.append(
            tr("%1: %2 at %3 %4")
                .arg(curve.title, m_axes.y.text(last.y), m_axes.x.title, m_axes.x.text(last.x)));
    }
    return values.join(tr("; "));
}

QStringList MetricChart::valuesAt(double x) const
{
    QStringList lines;
    for (const HoverRow& row : rowsAt(x))
        lines.append(QStringLiteral("%1: %2").arg(row.title, row.value));
    return lines;
}

std::vector<LegendEntry> MetricChart::legend() const
{
    std::vector<LegendEntry> entries;
    for (const ChartCurve& curve : m_curves)
        // A faint curve is the original of a smoothed one, which has the entry.
        if (!curve.title.isEmpty() && !curve.faint)
            entries.push_back({ curve.title, signOf(curve) });
    for (const ChartRibbon& ribbon : m_ribbons)
        if (!ribbon.title.isEmpty())
            entries.push_back({ ribbon.title, signOf(ribbon) });
    return entries.size() < 2 || !m_legendShown ? std::vector<LegendEntry> {} : entries;
}

// ---- painting --------------------------------------------------------------------------------

double MetricChart::roomAbove(double lineHeight) const
{
    return roomForLabels(m_markers, lineHeight);
}

void MetricChart::axesMoved()
{
    m_lines.invalidate();
    const QRectF area = m_axes.area();
    const auto wide = static_cast<int>(area.width() * devicePixelRatioF());
    const int columns = m_rest.isActive() ? std::min(wide, kCoarse) : wide;
    for (ChartCurve& curve : m_curves)
        if (curve.levels)
            curve.points = curve.levels->in({ m_axes.x.value(m_axes.x.low),
                m_axes.x.value(m_axes.x.high), columns, m_axes.x.logarithmic });
}

void MetricChart::zoomMoves()
{
    const auto isLong = [](const ChartCurve& curve) { return curve.levels != nullptr; };
    if (std::any_of(m_curves.begin(), m_curves.end(), isLong))
        m_rest.start();
}

void MetricChart::emphasise(long long key)
{
    if (std::exchange(m_emphasised, key) != key)
        marksChanged();
}

// The originals of many smoothed curves would hide them.
bool MetricChart::isShown(const ChartCurve& curve) const
{
    if (!curve.faint || curve.key == m_emphasised || !curve.levels)
        return true;
    return m_emphasised == 0
        && std::count_if(
               m_curves.begin(), m_curves.end(), [](const ChartCurve& each) { return each.faint; })
        <= kFewOriginals;
}

QPen MetricChart::penFor(const ChartCurve& curve) const
{
    const bool isFaded = m_emphasised != 0 && curve.key != m_emphasised;
    const bool isFirst = m_emphasised != 0 && !isFaded && !curve.faint;
    const double width = isFirst ? 2.5 : curve.faint ? 1 : isWide(curve) ? 1.5 : 1.2;
    QPen pen = penOf(withAlpha(curve.color,
                         isFaded           ? kFaded
                             : curve.faint ? kFaint
                                           : 255),
        curve.line, width);
    pen.setCosmetic(true);
    return pen;
}

// Dots without a line are painted here on a screen, too, because Qt Charts has not their shapes.
void MetricChart::paintData(QPainter& painter, const QRectF& exposed, Medium medium)
{
    paintRibbons(painter, m_axes, m_ribbons, m_emphasised);
    const auto isShort = [](const ChartCurve& curve) { return !curve.levels; };
    if (medium == Medium::Raster && std::any_of(m_curves.begin(), m_curves.end(), isShort))
        m_lines.paint(painter, exposed, m_axes, m_curves);
    if (medium == Medium::Raster)
        paintLong(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    // A picture is written by writeCurve alone: Qt Charts draws a solid line piece by piece, which
    // makes an SVG of a long run six times as large.
    for (const bool faint : { true, false })
        for (const ChartCurve& curve : m_curves)
            if (curve.faint == faint && isShown(curve)
                && (medium == Medium::Vector || (isDotsAlone(curve) && !curve.levels)))
                writeCurve(painter, m_axes, curve);
}

// What is emphasised last, over the others.
void MetricChart::paintLong(QPainter& painter) const
{
    std::vector<const ChartCurve*> curves;
    for (const ChartCurve& curve : m_curves)
        if (curve.levels && isShown(curve))
            curves.push_back(&curve);
    const auto rank = [this](const ChartCurve* curve) {
        return (m_emphasised != 0 && curve->key == m_emphasised ? 2 : 0) + (curve->faint ? 0 : 1);
    };
    std::stable_sort(curves.begin(), curves.end(),
        [&](const ChartCurve* a, const ChartCurve* b) { return rank(a) < rank(b); });
    std::size_t points = 0;
    for (const ChartCurve* curve : curves)
        points += curve->points.size();
    if (points <= kOutlined) {
        painter.setRenderHint(QPainter::Antialiasing);
        for (const ChartCurve* curve : curves)
            writeCurve(painter, m_axes, *curve, penFor(*curve));
        return;
    }
    LineRaster raster(m_axes.area(), painter.device()->devicePixelRatioF());
    std::vector<QPointF> line;
    for (const ChartCurve* curve : curves) {
        line.clear();
        for (const SeriesPoint& point : curve->points)
            line.push_back(m_axes.pixelOf(point.x, point.y));
        raster.draw(line, penFor(*curve));
    }
    raster.paintOn(painter);
}

void MetricChart::paintMarks(QPainter& painter) const
{
    const PlotLook look(*this);
    paintLevels(painter, m_axes, look, m_levels, m_curves);
    paintMarkers(painter, m_axes, look, m_markers, width());
    paintNonFinite(painter, m_axes, m_curves);
}

// ---- hover -----------------------------------------------------------------------------------

std::optional<double> MetricChart::stopAt(const QPointF& pixel) const
{
    const double x = m_axes.x.valueAt(pixel.x());
    std::optional<double> best;
    for (const ChartCurve& curve : m_curves) {
        const std::optional<SeriesPoint> point = pointNear(curve, x, INFINITY);
        if (point && (!best || std::abs(point->x - x) < std::abs(*best - x)))
            best = point->x;
    }
    return best && m_axes.x.shows(m_axes.x.axis(*best)) ? best : std::nullopt;
}

std::optional<double> MetricChart::nextStop(const std::optional<double>& from, int direction) const
{
    const QRectF area = m_axes.area();
    double pixel = from ? m_axes.x.pixelOf(*from) : area.center().x() - direction * kStep;
    std::optional<double> found = from;
    // In steps of pixels, not of points: a curve of thousands of points would need as many key
    // strokes to cross. If points are far apart, the step continues to the next one.
    while (found == from && pixel >= area.left() && pixel <= area.right()) {
        pixel += direction * kStep;
        const std::optional<double> there = stopAt({ pixel, 0 });
        found = there ? there : found;
    }
    return found;
}

HoverBox MetricChart::boxAt(double stop) const
{
    const QString text = m_axes.x.text(stop);
    QStringList notes = notesAt(stop);
    const auto isSmoothed = [](const ChartCurve& curve) { return curve.measured != nullptr; };
    if (std::any_of(m_curves.begin(), m_curves.end(), isSmoothed))
        notes.prepend(tr("smoothed (measured)"));
    return { .x = m_axes.x.pixelOf(stop),
        .head = m_axes.x.title.isEmpty() ? text : tr("%1 %2").arg(m_axes.x.title, text),
        .rows = rowsAt(stop),
        .notes = notes };
}

// From the highest value down, as the curves are on the screen.
std::vector<HoverRow> MetricChart::rowsAt(double x) const
{
    // Curves whose points fall a little beside the line still have a value there.
    // Pixels as a distance on the x axis, which depends on the zoom.
    const double pixel = m_axes.x.pixelOf(x);
    const double slack = std::abs(m_axes.x.valueAt(pixel + kReach) - x);
    std::vector<HoverRow> rows;
    for (const ChartCurve& curve : m_curves) {
        // Dots show their exact values only; there is no line between them
        const bool exact = isDotsAlone(curve);
        const std::optional<SeriesPoint> point = pointNear(curve, x, exact ? 0 : slack);
        if (!point || curve.title.isEmpty())
            continue;
        rows.push_back(
            { signOf(curve), titleAt(curve, *point), valueText(curve, *point, m_axes.y) });
        if (const double y = m_axes.y.pixelOf(point->y); std::isfinite(y))
            rows.back().y = y;
    }
    std::stable_sort(
        rows.begin(), rows.end(), [](const HoverRow& a, const HoverRow& b) { return a.y < b.y; });
    return rows;
}

QStringList MetricChart::notesAt(double x) const
{
    const double here = m_axes.x.pixelOf(x);
    QStringList notes;
    for (const ChartMarker& marker : m_markers)
        if (std::abs(m_axes.x.pixelOf(marker.x) - here) <= kMarkerReach
            && notes.size() < kMostNotes)
            notes.append(marker.text);
    return notes;
}

void MetricChart::paintStop(QPainter& painter, double stop) const
{
    const double pixel = m_axes.x.pixelOf(stop);
    paintStopLine(painter, pixel);
    painter.setPen(QPen(palette().color(QPalette::Base), 1.5));
    for (const ChartCurve& curve : m_curves) {
        if (curve.title.isEmpty())
            continue;
        const double slack = std::abs(m_axes.x.valueAt(pixel + kReach) - stop);
        const std::optional<SeriesPoint> point =
            pointNear(curve, stop, isDotsAlone(curve) ? 0 : slack);
        if (!point)
            continue;
        const QPointF at = m_axes.pixelOf(point->x, point->y);
        painter.setBrush(curve.color);
        if (std::abs(at.x() - pixel) <= kReach && std::isfinite(at.y())
            && m_axes.area().contains(at))
            painter.drawEllipse(at, 4, 4);
    }
}

void MetricChart::mouseAt(const std::optional<QPointF>& pixel)
{
    long long key = 0;
    double nearest = kPointing;
    for (const ChartCurve& curve : m_curves) {
        if (!pixel || curve.key == 0 || curve.faint)
            continue;
        const double distance = distanceTo(curve, m_axes, *pixel);
        if (distance >= nearest)
            continue;
        nearest = distance;
        key = curve.key;
    }
    if (std::exchange(m_pointedAt, key) != key)
        Q_EMIT curvePointedAt(key);
}

void MetricChart::addMenuActions(QMenu& menu)
{
    XyChart::addMenuActions(menu);
    QAction* usual = new QAction(tr("Ignore outliers"), &menu);
    usual->setCheckable(true);
    usual->setChecked(m_outliersIgnored);
    connect(usual, &QAction::toggled, this, &MetricChart::setOutliersIgnored);
    menu.insertAction(menu.actions().back(), usual); // above the separator
}

} // namespace accrue
