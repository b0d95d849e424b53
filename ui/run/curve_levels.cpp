// SPDX-License-Identifier: Apache-2.0
#include "ui/run/curve_levels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

// Why nodes have the values of their extremes and not only the places: a column of a million points
// then reads a few neighbouring nodes, instead of points that are far apart in memory.

namespace accrue {

struct CurveLevels::Column {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    std::size_t lowAt = 0;
    std::size_t highAt = 0;
    std::size_t notFiniteAt = std::numeric_limits<std::size_t>::max(); // the first one

    void add(const Node& node, std::size_t chunk)
    {
        if (node.low < low) {
            low = node.low;
            lowAt = chunk + node.lowAt;
        }
        if (node.high > high) {
            high = node.high;
            highAt = chunk + node.highAt;
        }
    }
};

void CurveLevels::Extent::add(double value)
{
    low = std::min(low, value);
    high = std::max(high, value);
    if (value > 0)
        lowestPositive = std::min(lowestPositive, value);
}

void CurveLevels::Node::add(const Node& other)
{
    if (other.low < low) {
        low = other.low;
        lowAt = other.lowAt;
    }
    if (other.high > high) {
        high = other.high;
        highAt = other.highAt;
    }
}

// ---- growing ---------------------------------------------------------------------------------

void CurveLevels::Chunk::addX(double x)
{
    const std::size_t index = size();
    if (index == 0)
        firstX = x;
    else if (index == 1)
        stepX = x - firstX;
    if (xs.empty() && firstX + static_cast<double>(index) * stepX == x)
        return;
    if (xs.empty())
        for (std::size_t i = 0; i < index; ++i)
            xs.push_back(firstX + static_cast<double>(i) * stepX);
    xs.push_back(x);
}

void CurveLevels::Chunk::addToNodes(std::uint32_t index, double y)
{
    Node node { y, y, index, index };
    std::size_t place = index;
    for (std::vector<Node>& level : nodes) {
        place /= kBranch;
        if (place == level.size())
            level.emplace_back();
        level[place].add(node);
    }
}

void CurveLevels::Chunk::add(const SeriesPoint& point)
{
    const auto index = static_cast<std::uint32_t>(size());
    addX(point.x);
    ys.push_back(point.y);
    if (std::isfinite(point.y)) {
        addToNodes(index, point.y);
        return;
    }
    notFinite.push_back(index);
    std::size_t place = index;
    for (std::vector<Node>& level : nodes) {
        place /= kBranch;
        if (place == level.size())
            level.emplace_back();
    }
}

// A chunk that will grow is not shared: the other owner may read it in another thread.
CurveLevels::CurveLevels(const CurveLevels& other)
    : m_chunks(other.m_chunks)
    , m_size(other.m_size)
    , m_x(other.m_x)
    , m_y(other.m_y)
{
    if (m_size % kChunk != 0)
        m_chunks.back() = std::make_shared<Chunk>(*m_chunks.back());
}

CurveLevels& CurveLevels::operator=(CurveLevels other) noexcept
{
    std::swap(m_chunks, other.m_chunks);
    std::swap(m_size, other.m_size);
    std::swap(m_x, other.m_x);
    std::swap(m_y, other.m_y);
    return *this;
}

CurveLevels::Chunk& CurveLevels::openChunk()
{
    if (m_size % kChunk == 0)
        m_chunks.push_back(std::make_shared<Chunk>());
    return *m_chunks.back();
}

void CurveLevels::add(const SeriesPoint& point)
{
    openChunk().add(point);
    ++m_size;
    if (!std::isfinite(point.x) || !std::isfinite(point.y))
        return;
    m_x.add(point.x);
    m_y.add(point.y);
}

// ---- reading ---------------------------------------------------------------------------------

double CurveLevels::xAt(std::size_t index) const
{
    return m_chunks[index / kChunk]->x(index % kChunk);
}

SeriesPoint CurveLevels::at(std::size_t index) const
{
    const Chunk& chunk = *m_chunks[index / kChunk];
    return { chunk.x(index % kChunk), chunk.ys[index % kChunk] };
}

std::size_t CurveLevels::Chunk::firstFrom(double x) const
{
    if (!xs.empty())
        return static_cast<std::size_t>(std::lower_bound(xs.begin(), xs.end(), x) - xs.begin());
    if (!(x > firstX))
        return 0;
    if (stepX <= 0)
        return size();
    const double place = std::ceil((x - firstX) / stepX);
    auto index = static_cast<std::size_t>(std::min(place, static_cast<double>(size())));
    // The division may be off by one in the last place.
    while (index > 0 && this->x(index - 1) >= x)
        --index;
    while (index < size() && this->x(index) < x)
        ++index;
    return index;
}

std::size_t CurveLevels::firstFrom(double x) const
{
    const auto holds = [x](const std::shared_ptr<Chunk>& chunk) {
        return chunk->x(chunk->size() - 1) < x;
    };
    const auto found = std::partition_point(m_chunks.begin(), m_chunks.end(), holds);
    if (found == m_chunks.end())
        return m_size;
    const auto before = static_cast<std::size_t>(found - m_chunks.begin()) * kChunk;
    return before + (*found)->firstFrom(x);
}

std::optional<SeriesPoint> CurveLevels::nearest(double x, double slack) const
{
    if (isEmpty() || x < at(0).x - slack || x > at(m_size - 1).x + slack)
        return std::nullopt;
    const std::size_t after = firstFrom(x);
    if (after == 0)
        return at(0);
    const SeriesPoint before = at(after - 1);
    if (after == m_size || x - before.x <= at(after).x - x)
        return before;
    return at(after);
}

// By the largest nodes that fit.
void CurveLevels::addStretch(Column& column, std::size_t from, std::size_t to) const
{
    while (from < to) {
        const std::size_t chunkAt = from / kChunk * kChunk;
        const Chunk& chunk = *m_chunks[from / kChunk];
        const std::size_t inside = from - chunkAt;
        std::size_t level = 0; // of single points
        std::size_t span = 1;
        while (level < kLevels && inside % (span * kBranch) == 0 && from + span * kBranch <= to) {
            span *= kBranch;
            ++level;
        }
        if (level > 0) {
            column.add(chunk.nodes[level - 1][inside / span], chunkAt);
        } else if (const double y = chunk.ys[inside]; std::isfinite(y)) {
            const auto place = static_cast<std::uint32_t>(inside);
            column.add({ y, y, place, place }, chunkAt);
        }
        const auto bad = std::lower_bound(chunk.notFinite.begin(), chunk.notFinite.end(), inside);
        if (bad != chunk.notFinite.end() && *bad < inside + span)
            column.notFiniteAt = std::min(column.notFiniteAt, chunkAt + *bad);
        from += span;
    }
}

void CurveLevels::appendColumn(
    std::vector<SeriesPoint>& points, std::size_t from, std::size_t to) const
{
    Column column;
    addStretch(column, from, to);
    // Without reading the points: those of a long curve are far apart in memory.
    std::array<std::pair<std::size_t, double>, 3> found {};
    std::size_t count = 0;
    if (column.low <= column.high) {
        found[count++] = { column.lowAt, column.low };
        if (column.highAt != column.lowAt)
            found[count++] = { column.highAt, column.high };
    }
    if (column.notFiniteAt < m_size)
        found[count++] = { column.notFiniteAt, at(column.notFiniteAt).y };
    std::sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count),
        [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < count; ++i)
        points.push_back({ xAt(found[i].first), found[i].second });
}

void CurveLevels::appendAll(
    std::vector<SeriesPoint>& points, std::size_t from, std::size_t to) const
{
    for (std::size_t i = from; i < to; ++i)
        points.push_back(at(i));
}

// Moved to where a node of at most a quarter of the column ends, so that few nodes are read.
std::size_t CurveLevels::endOfColumn(std::size_t from, double x, std::size_t last) const
{
    const std::size_t end = std::min(firstFrom(x), last);
    if (end <= from || end == last)
        return std::max(from, end);
    std::size_t span = 1;
    while (span * kBranch * 4 <= end - from && span < kChunk)
        span *= kBranch;
    return std::clamp((end + span / 2) / span * span, from, last);
}

std::vector<SeriesPoint> CurveLevels::in(const CurveWindow& window) const
{
    std::vector<SeriesPoint> points;
    if (isEmpty() || window.columns < 1 || !(window.high > window.low))
        return points;
    std::size_t first = firstFrom(window.low);
    std::size_t last = firstFrom(std::nextafter(window.high, INFINITY));
    // One point beyond either edge is enough for the line to reach it.
    const std::size_t before = first > 0 ? first - 1 : 0;
    const std::size_t behind = std::min(last + 1, m_size);
    if (behind - before <= 2 * static_cast<std::size_t>(window.columns)) {
        appendAll(points, before, behind);
        return points;
    }
    points.reserve(2 * static_cast<std::size_t>(window.columns) + 4);
    appendAll(points, before, first);
    const bool log = window.logarithmic;
    const double low = log ? std::log10(std::max(window.low, 1e-300)) : window.low;
    const double high = log ? std::log10(window.high) : window.high;
    points.push_back(at(first));
    std::size_t from = first;
    for (int column = 1; column <= window.columns && from < last; ++column) {
        const double edge = low + (high - low) * column / window.columns;
        const std::size_t end = column == window.columns
            ? last
            : endOfColumn(from, log ? std::pow(10.0, edge) : edge, last);
        appendColumn(points, from, end);
        from = end;
    }
    points.push_back(at(last - 1));
    appendAll(points, last, behind);
    // The first and the last point in sight may be extremes, too.
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return points;
}

} // namespace accrue
