// SPDX-License-Identifier: Apache-2.0
#include "ui/relations/parallel_plot.h"

#include "ui/charts/plot_look.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace accrue {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kLeft = 72; // pixels for the tick labels of the first axis
constexpr double kRight = 44; // for the half of the last title
constexpr double kLeastSpacing = 84;
constexpr double kArrow = 16;
constexpr double kStrip = 11; // beside an axis, where it can be brushed
constexpr double kReach = 8; // pixels from the mouse at which a line is found
constexpr double kTickHeight = 44;
constexpr double kLeastTickHeight = 15;
constexpr std::size_t kFewValues = 9; // of which each gets a tick

bool isNumber(double value)
{
    return std::isfinite(value);
}

// In a rising order, each once.
std::vector<double> distinct(std::vector<double> units)
{
    std::erase_if(units, [](double unit) { return !isNumber(unit); });
    std::sort(units.begin(), units.end());
    units.erase(std::unique(units.begin(), units.end()), units.end());
    return units;
}

double distance(const QPointF& pixel, const QPointF& from, const QPointF& to)
{
    const QPointF along = to - from;
    const double length = QPointF::dotProduct(along, along);
    const double at =
        length > 0 ? std::clamp(QPointF::dotProduct(pixel - from, along) / length, 0.0, 1.0) : 0;
    const QPointF away = pixel - (from + at * along);
    return std::hypot(away.x(), away.y());
}

} // namespace

bool ParallelAxis::canBeLogarithmic() const
{
    return categories.isEmpty() && std::ranges::any_of(values, isNumber)
        && std::ranges::none_of(values, [](double value) { return value <= 0; });
}

QString ParallelAxis::titleOfCategory(double value) const
{
    return (titles.isEmpty() ? categories : titles).value(static_cast<int>(std::lround(value)));
}

void ParallelPlot::set(std::vector<ParallelLine> lines, std::vector<ParallelAxis> axes)
{
    const std::vector<Placed> before = std::exchange(m_axes, {});
    m_lines = std::move(lines);
    m_isSelected.assign(m_lines.size(), false);
    m_anySelected = false;
    for (ParallelAxis& axis : axes) {
        Placed& placed = m_axes.emplace_back(Placed { std::move(axis), {} });
        scale(placed);
        for (const Placed& old : before)
            if (old.axis.name == placed.axis.name && old.axis.categories == placed.axis.categories
                && old.scale.logarithmic == placed.scale.logarithmic)
                placed.brush = old.brush;
    }
}

std::optional<std::size_t> ParallelPlot::axisNamed(const std::string& name) const
{
    for (std::size_t i = 0; i < m_axes.size(); ++i)
        if (m_axes[i].axis.name == name)
            return i;
    return std::nullopt;
}

std::size_t ParallelPlot::shownLines() const
{
    return static_cast<std::size_t>(
        std::ranges::count_if(m_lines, [](const ParallelLine& line) { return line.isShown; }));
}

// ---- scales and places -----------------------------------------------------------------------

// Of hidden lines, too: to hide one moves no other.
void ParallelPlot::scale(Placed& placed) const
{
    const ParallelAxis& axis = placed.axis;
    placed.scale.text = axis.text;
    placed.scale.ticks = axis.ticks;
    placed.scale.logarithmic = axis.isLogarithmic && axis.canBeLogarithmic();
    placed.units.clear();
    placed.without = 0;
    for (std::size_t line = 0; line < m_lines.size(); ++line) {
        const double value = axis.values[line];
        placed.units.push_back(isNumber(value) ? placed.scale.axis(value) : kNone);
        placed.without += m_lines[line].isShown && !isNumber(value) ? 1 : 0;
    }
    const std::vector<double> units = distinct(placed.units);
    placed.scale.low = units.empty() ? 0 : units.front();
    placed.scale.high = units.empty() ? 1 : units.back();
    if (placed.scale.low == placed.scale.high) {
        placed.scale.low -= 1;
        placed.scale.high += 1;
    }
}

double ParallelPlot::widthFor(std::size_t axes)
{
    return kLeft + kRight
        + kLeastSpacing * (static_cast<double>(std::max<std::size_t>(axes, 2)) - 1);
}

void ParallelPlot::layOut(const PlotLook& look, const QSizeF& size)
{
    const double line = std::ceil(look.smallHeight());
    const double titles = kPlotEdge + 2 * line;
    const double top = titles + kArrow + 10;
    const double bottom = std::max(top + 20, size.height() - kPlotEdge - line - 6);
    const double right = std::max(kLeft + 20, size.width() - kRight);
    m_area = QRectF(QPointF(kLeft, top), QPointF(right, bottom));
    m_spacing = m_area.width() / std::max(1.0, static_cast<double>(m_axes.size()) - 1);
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        Placed& axis = m_axes[i];
        axis.x = m_axes.size() < 2 ? m_area.center().x()
                                   : m_area.left() + m_spacing * static_cast<double>(i);
        // The outer titles end at the chart's edges.
        const double half = std::min({ m_spacing / 2 - 3, axis.x - 4, size.width() - 4 - axis.x });
        axis.title = QRectF(axis.x - half, kPlotEdge, 2 * half, 2 * line);
        axis.arrow = QRectF(axis.x - kArrow / 2, titles + 2, kArrow, kArrow);
        place(axis);
    }
}

void ParallelPlot::place(Placed& axis) const
{
    axis.scale.first = axis.axis.isInverted ? m_area.top() : m_area.bottom();
    axis.scale.last = axis.axis.isInverted ? m_area.bottom() : m_area.top();
    axis.ticks = ticksOf(axis);
}

// The values themselves if they are few, such as those of a sweep.
std::vector<double> ParallelPlot::ticksOf(const Placed& axis) const
{
    const std::vector<double> units = distinct(axis.units);
    const double perPixel = (axis.scale.high - axis.scale.low) / std::max(1.0, m_area.height());
    bool haveRoom = true;
    for (std::size_t i = 1; i < units.size(); ++i)
        haveRoom = haveRoom && units[i] - units[i - 1] >= perPixel * kLeastTickHeight;
    if (!axis.axis.categories.isEmpty() || (units.size() <= kFewValues && haveRoom))
        return units;
    return axis.scale.ticksFor(std::max(2, static_cast<int>(m_area.height() / kTickHeight)));
}

QPointF ParallelPlot::pointOf(std::size_t line, std::size_t axis) const
{
    const Placed& placed = m_axes[axis];
    return { placed.x, placed.scale.pixel(placed.units[line]) };
}

QString ParallelPlot::textOf(std::size_t line, std::size_t axis) const
{
    const ParallelAxis& of = m_axes[axis].axis;
    const double value = of.values[line];
    if (!isNumber(value))
        return QStringLiteral("–");
    return of.categories.isEmpty() ? of.text(value) : of.titleOfCategory(value);
}

// ---- what a person changes -------------------------------------------------------------------

void ParallelPlot::move(std::size_t from, std::size_t to)
{
    const auto begin = m_axes.begin();
    const auto at = [begin](std::size_t i) { return begin + static_cast<std::ptrdiff_t>(i); };
    if (from < to)
        std::rotate(at(from), at(from + 1), at(to + 1));
    else
        std::rotate(at(to), at(from), at(from + 1));
}

void ParallelPlot::invert(std::size_t axis)
{
    m_axes[axis].axis.isInverted = !m_axes[axis].axis.isInverted;
    place(m_axes[axis]);
}

void ParallelPlot::setLogarithmic(std::size_t axis, bool on)
{
    Placed& placed = m_axes[axis];
    const PlotAxis before = placed.scale;
    placed.axis.isLogarithmic = on;
    scale(placed);
    if (placed.brush)
        placed.brush = AxisBrush { placed.scale.axis(before.value(placed.brush->low)),
            placed.scale.axis(before.value(placed.brush->high)) };
    // The lower end of a brush may have no logarithm.
    if (placed.brush && !isNumber(placed.brush->low))
        placed.brush->low = placed.scale.low;
    place(placed);
}

void ParallelPlot::setBrush(std::size_t axis, const std::optional<AxisBrush>& brush)
{
    Placed& placed = m_axes[axis];
    placed.brush = brush;
    if (!brush)
        return;
    placed.brush->low = std::max(std::min(brush->low, brush->high), placed.scale.low);
    placed.brush->high = std::min(std::max(brush->low, brush->high), placed.scale.high);
}

void ParallelPlot::clearBrushes()
{
    for (Placed& axis : m_axes)
        axis.brush.reset();
}

bool ParallelPlot::hasBrushes() const
{
    return std::ranges::any_of(m_axes, [](const Placed& axis) { return axis.brush.has_value(); });
}

bool ParallelPlot::passes(std::size_t line) const
{
    return m_lines[line].isShown && std::ranges::all_of(m_axes, [line](const Placed& axis) {
        return !axis.brush || axis.brush->contains(axis.units[line]);
    });
}

std::vector<std::size_t> ParallelPlot::brushed() const
{
    std::vector<std::size_t> found;
    for (std::size_t line = 0; hasBrushes() && line < m_lines.size(); ++line)
        if (passes(line))
            found.push_back(line);
    return found;
}

void ParallelPlot::setSelected(const std::vector<long long>& keys)
{
    std::vector<long long> sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    m_anySelected = false;
    for (std::size_t line = 0; line < m_lines.size(); ++line) {
        const bool isSelected = m_lines[line].isShown
            && std::binary_search(sorted.begin(), sorted.end(), m_lines[line].key);
        m_isSelected[line] = isSelected;
        m_anySelected = m_anySelected || isSelected;
    }
}

bool ParallelPlot::isBright(std::size_t line) const
{
    if (hasBrushes())
        return passes(line);
    return m_lines[line].isShown && (!m_anySelected || m_isSelected[line]);
}

// ---- what is where ---------------------------------------------------------------------------

ParallelPlot::Hit ParallelPlot::hitAt(const QPointF& pixel) const
{
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const Placed& axis = m_axes[i];
        if (axis.arrow.contains(pixel))
            return { Hit::On::Arrow, i };
        if (axis.title.contains(pixel))
            return { Hit::On::Title, i };
        if (std::abs(pixel.x() - axis.x) <= kStrip && pixel.y() >= m_area.top() - 6
            && pixel.y() <= m_area.bottom() + 6)
            return { Hit::On::Strip, i };
    }
    return {};
}

std::size_t ParallelPlot::slotAt(double x) const
{
    const double at = std::round((x - m_area.left()) / std::max(1.0, m_spacing));
    return static_cast<std::size_t>(
        std::clamp(at, 0.0, std::max(0.0, static_cast<double>(m_axes.size()) - 1)));
}

// From the part of the line between the two axes around the pixel.
double ParallelPlot::distanceTo(std::size_t line, const QPointF& pixel) const
{
    const double gap = std::floor((pixel.x() - m_area.left()) / std::max(1.0, m_spacing));
    const auto left = static_cast<std::size_t>(
        std::clamp(gap, 0.0, std::max(0.0, static_cast<double>(m_axes.size()) - 2)));
    const QPointF from = pointOf(line, left);
    const QPointF to = pointOf(line, std::min(left + 1, m_axes.size() - 1));
    const bool hasFrom = isNumber(from.y());
    const bool hasTo = isNumber(to.y());
    if (!hasFrom && !hasTo)
        return std::numeric_limits<double>::infinity();
    // A line that is broken here is only where it has a value.
    return distance(pixel, hasFrom ? from : to, hasTo ? to : from);
}

std::optional<std::size_t> ParallelPlot::lineAt(const QPointF& pixel) const
{
    std::optional<std::size_t> nearest;
    double least = kReach;
    bool isNearestBright = false;
    if (m_axes.empty() || !m_area.adjusted(-kReach, -kReach, kReach, kReach).contains(pixel))
        return nearest;
    for (std::size_t line = 0; line < m_lines.size(); ++line) {
        if (!m_lines[line].isShown)
            continue;
        const double away = distanceTo(line, pixel);
        const bool isBrighter = isBright(line) && !isNearestBright;
        if (away > kReach || (isNearestBright && !isBright(line)) || (!isBrighter && away >= least))
            continue;
        least = away;
        nearest = line;
        isNearestBright = isBright(line);
    }
    return nearest;
}

std::vector<std::size_t> ParallelPlot::upwards(std::size_t axis) const
{
    std::vector<std::size_t> order;
    for (std::size_t line = 0; line < m_lines.size(); ++line)
        if (m_lines[line].isShown && isNumber(m_axes[axis].units[line]))
            order.push_back(line);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
        return pointOf(one, axis).y() > pointOf(other, axis).y();
    });
    return order;
}

} // namespace accrue
