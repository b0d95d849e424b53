// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/scatter_chart.h"

#include "ui/charts/curve_look.h"
#include "ui/charts/plot_look.h"

#include <QContextMenuEvent>
#include <QFontMetricsF>
#include <QLineF>
#include <QLinearGradient>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

namespace accrue {

namespace {

constexpr double kRadius = 6; // pixels, with the outline
constexpr double kRing = 10; // around a point that is selected or pointed at
constexpr double kReach = 12; // pixels from the mouse at which a point is found
constexpr double kTogether = 3; // pixels between points that hide each other
constexpr double kBeside = kRadius + 2; // between a label and the middle of another point
constexpr double kSignWidth = 14;
constexpr double kLineSign = 22;
constexpr double kScaleWidth = 110;
constexpr double kScaleHeight = 9;
constexpr double kScaleGap = 5;
constexpr double kPale = 0.4; // opacity of a point that is pale by itself
constexpr double kFaded = 0.22; // while others are selected
constexpr int kBandAlpha = 38; // of 255

bool has(const ScatterChart::Keys& keys, long long key)
{
    return std::ranges::find(keys, key) != keys.end();
}

bool areTogether(const QPointF& one, const QPointF& other)
{
    return QLineF(one, other).length() <= kTogether;
}

void paintRing(QPainter& painter, const QPointF& at, const QPen& pen)
{
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(at, kRing, kRing);
}

PlotSign signOf(const ScatterEntry& entry)
{
    return { kSignWidth, [entry](QPainter& painter, const QPointF& middle) {
                paintDot(painter, middle, entry.color, entry.line, kRadius);
            } };
}

PlotSign signOf(const ScatterLine& line)
{
    const auto paint = [color = line.color, style = line.style, hasBand = !line.band.empty()](
                           QPainter& painter, const QPointF& middle) {
        const QPointF half(kLineSign / 2, 0);
        if (hasBand)
            painter.fillRect(QRectF(middle - half - QPointF(0, 5), middle + half + QPointF(0, 5)),
                withAlpha(color, kBandAlpha));
        painter.setPen(penOf(color, style, 2));
        painter.drawLine(middle - half, middle + half);
    };
    return { kLineSign, paint };
}

std::vector<QPointF> pixelsOf(const PlotAxes& axes, const std::vector<QPointF>& corners)
{
    std::vector<QPointF> pixels;
    for (const QPointF& corner : corners)
        if (const QPointF at = axes.pixelOf(corner.x(), corner.y());
            std::isfinite(at.x()) && std::isfinite(at.y()))
            pixels.push_back(at);
    return pixels;
}

void paintLine(QPainter& painter, const PlotAxes& axes, const ScatterLine& line)
{
    const std::vector<QPointF> band = pixelsOf(axes, line.band);
    painter.setPen(Qt::NoPen);
    painter.setBrush(withAlpha(line.color, kBandAlpha));
    painter.drawPolygon(band.data(), static_cast<int>(band.size()));
    const std::vector<QPointF> corners = pixelsOf(axes, line.corners);
    painter.setPen(penOf(line.color, line.style, 2));
    painter.drawPolyline(corners.data(), static_cast<int>(corners.size()));
}

// On the right of the point, or where the chart ends on its left.
QRectF besidePoint(const QPointF& at, const QSizeF& label, double chartWidth, bool isAbove)
{
    QRectF place({}, label);
    place.moveLeft(at.x() + kRadius);
    if (place.right() > chartWidth)
        place.moveRight(at.x() - kRadius);
    if (isAbove)
        place.moveBottom(at.y() - kRadius);
    else
        place.moveTop(at.y() + kRadius);
    return place;
}

} // namespace

std::vector<ScatterEntry> StyleKey::entries() const
{
    std::vector<ScatterEntry> all = colors;
    all.insert(all.end(), lines.begin(), lines.end());
    return all;
}

// The bar between the texts of its ends.
PlotSign signOf(const ScatterScale& scale, const QFontMetricsF& metrics)
{
    const double low = metrics.horizontalAdvance(scale.low) + kScaleGap;
    const double width = low + kScaleWidth + kScaleGap + metrics.horizontalAdvance(scale.high);
    const auto paint = [scale, low, width](QPainter& painter, const QPointF& middle) {
        const QRectF all(middle.x() - width / 2, middle.y() - 10, width, 20);
        const QRectF bar(
            all.left() + low, middle.y() - kScaleHeight / 2, kScaleWidth, kScaleHeight);
        QLinearGradient gradient(bar.topLeft(), bar.topRight());
        for (std::size_t i = 0; i < scale.colors.size(); ++i)
            gradient.setColorAt(static_cast<double>(i)
                    / static_cast<double>(std::max<std::size_t>(scale.colors.size() - 1, 1)),
                scale.colors[i]);
        painter.fillRect(bar, gradient);
        painter.drawText(all, Qt::AlignLeft | Qt::AlignVCenter, scale.low);
        painter.drawText(all, Qt::AlignRight | Qt::AlignVCenter, scale.high);
    };
    return { width, paint };
}

void ScatterChart::setContent(ScatterContent content)
{
    if (content == m_content)
        return;
    m_content = std::move(content);
    sortDots();
    if (stop() && pointOf(*stop()) == nullptr)
        forgetStop();
    showData();
}

void ScatterChart::sortDots()
{
    m_dots.clear();
    for (const ScatterPoint& point : m_content.points)
        if (std::isfinite(point.x) && std::isfinite(point.y))
            m_dots.push_back(&point);
    // Left to right, which is the order of the arrow keys.
    std::ranges::stable_sort(m_dots, [](const ScatterPoint* a, const ScatterPoint* b) {
        return std::tie(a->x, a->y) < std::tie(b->x, b->y);
    });
    m_isAnySelected =
        std::ranges::any_of(m_dots, [this](const ScatterPoint* dot) { return isSelected(*dot); });
}

void ScatterChart::setSelected(const Keys& keys)
{
    if (std::exchange(m_selected, keys) == keys)
        return;
    m_isSelected = { keys.begin(), keys.end() };
    sortDots();
    contentChanged();
}

void ScatterChart::setPointedAt(const Keys& keys)
{
    // What the mouse points at here has its ring already.
    const std::optional<long long> own = pointedAt();
    Keys others = own && keys == Keys { *own } ? Keys() : keys;
    if (std::exchange(m_pointedAt, others) != others)
        marksChanged();
}

std::optional<long long> ScatterChart::pointedAt() const
{
    const ScatterPoint* const point = stop() ? pointOf(*stop()) : nullptr;
    return point != nullptr ? std::optional(point->key) : std::nullopt;
}

QPointF ScatterChart::placeOf(long long key) const
{
    const ScatterPoint* const point = pointOf(static_cast<double>(key));
    constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();
    return point != nullptr ? pixelOf(*point) : QPointF(kNowhere, kNowhere);
}

const ScatterPoint* ScatterChart::pointOf(double stop) const
{
    const auto found = std::ranges::find(
        m_dots, static_cast<long long>(stop), [](const ScatterPoint* dot) { return dot->key; });
    return found != m_dots.end() ? *found : nullptr;
}

QPointF ScatterChart::pixelOf(const ScatterPoint& point) const
{
    return m_axes.pixelOf(point.x, point.y) + QPointF(point.shift, 0);
}

// Half a pixel outside counts as visible: an axis often ends exactly at a point.
bool ScatterChart::isInSight(const ScatterPoint& point) const
{
    const QPointF at = m_axes.pixelOf(point.x, point.y);
    return std::isfinite(at.x()) && std::isfinite(at.y())
        && m_axes.area().adjusted(-0.5, -0.5, 0.5, 0.5).contains(at);
}

CurveExtent ScatterChart::extent() const
{
    CurveExtent extent;
    for (const ScatterPoint* dot : m_dots)
        extent.add(m_axes.x.axis(dot->x), m_axes.y.axis(dot->y));
    return extent;
}

// ---- words -----------------------------------------------------------------------------------

QString ScatterChart::textOf(const ScatterPoint& point) const
{
    QString text =
        tr("%1: %2 at %3 %4")
            .arg(point.title, m_axes.y.text(point.y), m_axes.x.title, m_axes.x.text(point.x));
    for (const QString& note : point.notes)
        text += tr(", ") + note;
    return isSelected(point) ? tr("%1, selected").arg(text) : text;
}

QString ScatterChart::description() const
{
    constexpr std::size_t kMostDescribed = 5;
    QStringList parts;
    const ScatterPoint* const at = stop() ? pointOf(*stop()) : nullptr;
    if (at != nullptr)
        parts.append(textOf(*at));
    parts.append(tr("points: %1").arg(m_dots.size()));
    if (!m_selected.empty())
        parts.append(
            tr("selected: %1").arg(std::ranges::count_if(m_dots, [this](const ScatterPoint* dot) {
                return isSelected(*dot);
            })));
    for (const ScatterLine& line : m_content.lines)
        if (!line.title.isEmpty())
            parts.append(line.title);
    std::size_t described = 0;
    for (const ScatterPoint* dot : m_dots)
        if (isSelected(*dot) && dot != at && ++described <= kMostDescribed)
            parts.append(textOf(*dot));
    return parts.join(tr("; "));
}

std::vector<LegendEntry> ScatterChart::legend() const
{
    std::vector<LegendEntry> entries;
    const QFontMetricsF metrics(PlotLook(*this).small);
    if (m_content.scale)
        entries.push_back({ m_content.scale->title, signOf(*m_content.scale, metrics) });
    for (const ScatterLine& line : m_content.lines)
        if (!line.title.isEmpty())
            entries.push_back({ line.title, signOf(line), line.meaning });
    for (const ScatterEntry& entry : m_content.entries)
        entries.push_back({ entry.title, signOf(entry) });
    return entries;
}

// ---- painting --------------------------------------------------------------------------------

void ScatterChart::paintData(QPainter& painter, const QRectF&, Medium)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.save();
    painter.setClipRect(m_axes.area());
    for (const ScatterLine& line : m_content.lines)
        paintLine(painter, m_axes, line);
    painter.restore();
    // Points that lie over each other stay apart; the ends of a scale are near either ground.
    const QColor around =
        m_content.scale ? PlotLook(*this).muted(0.55) : palette().color(QPalette::Base);
    // What is selected is painted last, because others may lie over it.
    std::vector<const ScatterPoint*> above;
    for (const ScatterPoint* dot : m_dots)
        if (isSelected(*dot))
            above.push_back(dot);
        else if (isInSight(*dot))
            paintPoint(painter, *dot, around);
    for (const ScatterPoint* dot : above)
        if (isInSight(*dot)) {
            paintPoint(painter, *dot, around);
            paintRing(painter, pixelOf(*dot), QPen(palette().color(QPalette::Text), 1.5));
        }
    paintLabels(painter);
    for (const ScatterPoint* dot : m_dots)
        if (has(m_pointedAt, dot->key) && isInSight(*dot))
            paintRing(painter, pixelOf(*dot), QPen(palette().color(QPalette::Highlight), 2));
}

// The highest first. One that would hide another, or seem to be that of another point, is left out.
void ScatterChart::paintLabels(QPainter& painter) const
{
    const PlotLook look(*this);
    const QFontMetricsF metrics(look.small);
    std::vector<const ScatterPoint*> dots = m_dots;
    std::ranges::stable_sort(dots, std::greater(), [](const ScatterPoint* dot) { return dot->y; });
    std::vector<QRectF> taken;
    const auto isFree = [&](const QRectF& place, const ScatterPoint* of) {
        const QRectF around = place.adjusted(-kBeside, -kBeside, kBeside, kBeside);
        return std::ranges::none_of(taken, [&](const QRectF& one) { return one.intersects(place); })
            && std::ranges::none_of(dots, [&](const ScatterPoint* other) {
                   return other != of && around.contains(pixelOf(*other));
               });
    };
    for (const ScatterPoint* dot : dots) {
        if (dot->label.isEmpty() || !isInSight(*dot))
            continue;
        const QSizeF label(metrics.horizontalAdvance(dot->label) + 4, metrics.height());
        QRectF place = besidePoint(pixelOf(*dot), label, width(), /*isAbove=*/true);
        if (!isFree(place, dot))
            place = besidePoint(pixelOf(*dot), label, width(), /*isAbove=*/false);
        if (!isFree(place, dot))
            continue;
        taken.push_back(place);
        paintOnGround(painter, look, place, dot->label);
    }
}

double ScatterChart::opacityOf(const ScatterPoint& point) const
{
    if (m_isAnySelected)
        return isSelected(point) ? 1 : kFaded;
    return point.isPale ? kPale : 1;
}

void ScatterChart::paintPoint(
    QPainter& painter, const ScatterPoint& point, const QColor& outline) const
{
    const double opacity = opacityOf(point);
    const QPainterPath mark = markOf(point.line, pixelOf(point), kRadius);
    const auto alpha = static_cast<int>(std::lround(255 * opacity));
    painter.setPen(QPen(withAlpha(outline, alpha), 1));
    painter.setBrush(withAlpha(point.color, alpha));
    painter.drawPath(mark);
}

void ScatterChart::paintStop(QPainter& painter, double stop) const
{
    if (const ScatterPoint* const point = pointOf(stop))
        paintRing(painter, pixelOf(*point), QPen(palette().color(QPalette::Highlight), 2));
}

// ---- hover -----------------------------------------------------------------------------------

std::optional<double> ScatterChart::stopAt(const QPointF& pixel) const
{
    std::optional<double> nearest;
    double least = kReach;
    for (const ScatterPoint* dot : m_dots) {
        const double distance = QLineF(pixel, pixelOf(*dot)).length();
        if (isInSight(*dot) && distance <= least) {
            least = distance;
            nearest = static_cast<double>(dot->key);
        }
    }
    return nearest;
}

std::optional<double> ScatterChart::nextStop(const std::optional<double>& from, int direction) const
{
    const ScatterPoint* const point = from ? pointOf(*from) : nullptr;
    const auto last = std::ssize(m_dots) - 1;
    std::ptrdiff_t at = direction > 0 ? 0 : last;
    if (point != nullptr)
        at = std::ranges::find(m_dots, point) - m_dots.begin() + direction;
    // A zoom hides points, and the keys must not stop at one that is not visible.
    while (at >= 0 && at <= last && !isInSight(*m_dots[static_cast<std::size_t>(at)]))
        at += direction;
    return at >= 0 && at <= last
        ? std::optional(static_cast<double>(m_dots[static_cast<std::size_t>(at)]->key))
        : from;
}

// With what the point hides, or is hidden by, and what is beside it only to be seen.
HoverBox ScatterChart::boxAt(double stop) const
{
    const ScatterPoint* const point = pointOf(stop);
    if (point == nullptr)
        return {};
    const auto rowOf = [](const PlotAxis& axis, const QString& name, double value) {
        return HoverRow { {}, axis.title.isEmpty() ? name : axis.title, axis.text(value) };
    };
    HoverBox box { .x = pixelOf(*point).x(),
        .top = pixelOf(*point).y() + kRing,
        .head = point->title,
        .rows = { rowOf(m_axes.y, title().isEmpty() ? tr("y") : title(), point->y),
            rowOf(m_axes.x, tr("x"), point->x) },
        .notes = point->notes };
    const auto isThere = [&](const ScatterPoint& other) {
        return areTogether(pixelOf(*point), pixelOf(other))
            || areTogether(m_axes.pixelOf(point->x, point->y), m_axes.pixelOf(other.x, other.y));
    };
    for (const ScatterPoint* other : m_dots)
        if (other != point && isInSight(*other) && isThere(*other))
            box.rows.push_back({ signOf(ScatterEntry { {}, other->color, other->line }),
                other->title, m_axes.y.text(other->y) });
    return box;
}

QStringList ScatterChart::valuesAt(long long key) const
{
    QStringList lines;
    for (const HoverRow& row : boxAt(static_cast<double>(key)).rows)
        lines.append(QStringLiteral("%1: %2").arg(row.title, row.value));
    return lines;
}

// ---- selection -------------------------------------------------------------------------------

void ScatterChart::selectAt(const std::optional<double>& stop, bool adds)
{
    Keys keys = adds ? m_selected : Keys();
    const ScatterPoint* const point = stop ? pointOf(*stop) : nullptr;
    if (point != nullptr && !(adds && std::erase(keys, point->key) > 0))
        keys.push_back(point->key);
    Q_EMIT selectionRequested(keys);
}

void ScatterChart::selectInside(const QRectF& pixels, bool adds)
{
    Keys keys = adds ? m_selected : Keys();
    for (const ScatterPoint* dot : m_dots)
        if (isInSight(*dot) && pixels.contains(pixelOf(*dot)) && !has(keys, dot->key))
            keys.push_back(dot->key);
    Q_EMIT selectionRequested(keys);
}

bool ScatterChart::deselect()
{
    if (m_selected.empty())
        return false;
    Q_EMIT selectionRequested({});
    return true;
}

// The menu is about what is selected, so that a point below the mouse has to be.
void ScatterChart::contextMenuEvent(QContextMenuEvent* event)
{
    const std::optional<double> at =
        event->reason() == QContextMenuEvent::Mouse ? stopAt(event->pos()) : stop();
    const ScatterPoint* const point = at ? pointOf(*at) : nullptr;
    if (point != nullptr && !isSelected(*point))
        selectAt(at, /*adds=*/false);
    XyChart::contextMenuEvent(event);
}

} // namespace accrue
