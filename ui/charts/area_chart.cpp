// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/area_chart.h"

#include "ui/charts/axis_range.h"
#include "ui/charts/plot_look.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

// A stop is the index of a point and not an x, because two points may share one x: the end of a
// band and the begin of the next. Left and Right reach both, and each has a title of its own.

namespace accrue {

namespace {

constexpr double kSwatch = 10; // pixels

double valueAt(const ChartArea& area, std::size_t point)
{
    return point < area.values.size() ? area.values[point] : 0;
}

bool isShown(const ChartArea& area)
{
    return std::any_of(
        area.values.begin(), area.values.end(), [](double value) { return value > 0; });
}

PlotSign signOf(const ChartArea& area)
{
    const auto paint = [color = area.color, faint = area.faint](
                           QPainter& painter, const QPointF& middle) {
        painter.setPen(faint ? QPen(color, 1) : QPen(Qt::NoPen));
        painter.setBrush(withAlpha(color, faint ? 90 : 255));
        const QPointF half(kSwatch / 2, kSwatch / 2);
        painter.drawRoundedRect(QRectF(middle - half, middle + half), 2, 2);
    };
    return { kSwatch, paint };
}

} // namespace

AreaChart::AreaChart(QWidget* parent)
    : PlotFrame(parent)
{
    m_axes.x.text = nullptr; // the bands say where on the x axis a point is
}

void AreaChart::setContent(AreaContent content)
{
    m_content = std::move(content);
    const auto& points = m_content.points;
    // A chart that follows a live run gets new content while the user points at it. The stop
    // remains if it still means a point.
    if (stop() && *stop() >= static_cast<double>(points.size()))
        forgetStop();
    // With the faint areas, because they are drawn on top and must fit into the chart.
    const double highest = sumAt(highestPoint(), /*withFaint=*/true);
    // The unit first: a number that is round in bytes is not round in MiB.
    const double unit = m_axes.y.ticks == PlotAxis::Ticks::Bytes ? byteUnit(highest) : 1;
    m_axes.y.high = highest > 0 ? niceRange(0, highest / unit).high * unit : 1;
    if (!points.empty()) {
        m_axes.x.low = points.front().x;
        m_axes.x.high = std::max(points.back().x, m_axes.x.low + 1e-9); // an axis needs a width
    }
    contentChanged();
}

// ---- numbers ---------------------------------------------------------------------------------

double AreaChart::sumAt(std::size_t point, bool withFaint) const
{
    double sum = 0;
    for (const ChartArea& area : m_content.areas)
        sum += area.faint && !withFaint ? 0 : valueAt(area, point);
    return sum;
}

std::size_t AreaChart::nearestPoint(double x) const
{
    const auto& points = m_content.points;
    const auto nearest = std::min_element(points.begin(), points.end(),
        [x](const auto& a, const auto& b) { return std::abs(a.x - x) < std::abs(b.x - x); });
    return static_cast<std::size_t>(nearest - points.begin());
}

std::size_t AreaChart::highestPoint() const
{
    std::size_t highest = 0;
    for (std::size_t i = 1; i < m_content.points.size(); ++i)
        if (sumAt(i, /*withFaint=*/true) > sumAt(highest, /*withFaint=*/true))
            highest = i;
    return highest;
}

std::vector<HoverRow> AreaChart::rowsAt(std::size_t point) const
{
    std::vector<HoverRow> rows;
    // The box lists areas from the top down, as in the chart.
    for (auto area = m_content.areas.rbegin(); area != m_content.areas.rend(); ++area)
        if (isShown(*area))
            rows.push_back({ signOf(*area), area->title, m_axes.y.text(valueAt(*area, point)) });
    // Without the faint areas, which are not part of the sum.
    rows.push_back({ {}, tr("Sum"), m_axes.y.text(sumAt(point, /*withFaint=*/false)) });
    return rows;
}

QStringList AreaChart::linesAt(std::size_t point) const
{
    QStringList lines { m_content.points[point].title };
    for (const HoverRow& row : rowsAt(point))
        lines.append(tr("%1: %2").arg(row.title, row.value));
    return lines;
}

QStringList AreaChart::valuesAt(double x) const
{
    return isEmpty() ? QStringList() : linesAt(nearestPoint(x));
}

QString AreaChart::description() const
{
    const std::size_t point = stop() ? static_cast<std::size_t>(*stop()) : highestPoint();
    return linesAt(point).join(tr("; "));
}

std::vector<LegendEntry> AreaChart::legend() const
{
    std::vector<LegendEntry> entries;
    for (const ChartArea& area : m_content.areas)
        if (isShown(area))
            entries.push_back({ area.title, signOf(area), area.meaning });
    return entries;
}

// ---- painting --------------------------------------------------------------------------------

void AreaChart::paintData(QPainter& painter, const QRectF&, Medium)
{
    painter.setRenderHint(QPainter::Antialiasing);
    paintBands(painter);
    paintAreas(painter);
}

void AreaChart::paintBands(QPainter& painter) const
{
    const PlotLook look(*this);
    const QFontMetricsF small(look.small);
    const auto placeOf = [this](const ChartBand& band) {
        return QRectF(QPointF(m_axes.x.pixelOf(band.from), m_axes.y.last),
            QPointF(m_axes.x.pixelOf(band.to), m_axes.y.first));
    };
    const auto fits = [&](const ChartBand& band) {
        return small.horizontalAdvance(band.title) + 4 <= placeOf(band).width();
    };
    // All titles or all letters: a mixture would look as if the bands were of two kinds.
    const bool whole = std::all_of(m_content.bands.begin(), m_content.bands.end(), fits);
    painter.setFont(look.small);
    painter.setPen(look.muted(0.8));
    for (const ChartBand& band : m_content.bands) {
        const QRectF area = placeOf(band);
        painter.fillRect(area, withAlpha(band.color, 32));
        painter.fillRect(QRectF(area.left(), area.top() - 2, area.width() - 1, 2), band.color);
        const QString& title = whole ? band.title : band.letter;
        if (small.horizontalAdvance(title) + 2 <= area.width())
            painter.drawText(
                QRectF(area.left(), area.top() - 4 - small.height(), area.width(), small.height()),
                Qt::AlignCenter, title);
    }
}

void AreaChart::paintAreas(QPainter& painter) const
{
    const auto& points = m_content.points;
    // Each area begins where the one below it ends.
    std::vector<double> below(points.size(), 0);
    for (const ChartArea& area : m_content.areas) {
        if (!isShown(area))
            continue;
        QPolygonF upper;
        QPolygonF outline;
        for (std::size_t i = 0; i < points.size(); ++i) {
            outline.append(m_axes.pixelOf(points[i].x, below[i]));
            below[i] += valueAt(area, i);
            upper.append(m_axes.pixelOf(points[i].x, below[i]));
        }
        std::reverse_copy(upper.begin(), upper.end(), std::back_inserter(outline));
        painter.setPen(Qt::NoPen);
        painter.setBrush(withAlpha(area.color, area.faint ? 70 : 255));
        painter.drawPolygon(outline);
        painter.setPen(QPen(palette().color(QPalette::Base), 1)); // sets neighbours apart
        painter.drawPolyline(upper);
    }
}

// ---- hover -----------------------------------------------------------------------------------

std::optional<double> AreaChart::stopAt(const QPointF& pixel) const
{
    return static_cast<double>(nearestPoint(m_axes.x.valueAt(pixel.x())));
}

// The neighbour of `from`, or the end to begin with.
std::optional<double> AreaChart::nextStop(const std::optional<double>& from, int direction) const
{
    const double last = static_cast<double>(m_content.points.size()) - 1;
    if (!from)
        return direction < 0 ? last : 0;
    return std::clamp(*from + direction, 0.0, last);
}

HoverBox AreaChart::boxAt(double stop) const
{
    const auto point = static_cast<std::size_t>(stop);
    return { .x = m_axes.x.pixelOf(m_content.points[point].x),
        .top = m_axes.y.last,
        .head = m_content.points[point].title,
        .rows = rowsAt(point) };
}

void AreaChart::paintStop(QPainter& painter, double stop) const
{
    paintStopLine(painter, m_axes.x.pixelOf(m_content.points[static_cast<std::size_t>(stop)].x));
}

} // namespace accrue
