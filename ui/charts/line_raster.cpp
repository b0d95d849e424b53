// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/line_raster.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

// QPainter outlines a line segment by segment: twenty curves of a thousand points take longer than
// a frame. Here neighbouring points of a column only widen its span.

namespace accrue {

namespace {

QRgb scaled(QRgb color, double share)
{
    const auto part = [share](
                          int channel) { return static_cast<int>(std::lround(channel * share)); };
    return qRgba(part(qRed(color)), part(qGreen(color)), part(qBlue(color)), part(qAlpha(color)));
}

void blend(QRgb& pixel, QRgb over)
{
    const int rest = 255 - qAlpha(over);
    const auto mix = [rest](int below, int above) { return above + below * rest / 255; };
    pixel = qRgba(mix(qRed(pixel), qRed(over)), mix(qGreen(pixel), qGreen(over)),
        mix(qBlue(pixel), qBlue(over)), mix(qAlpha(pixel), qAlpha(over)));
}

// Whether a column belongs to a dash; in pixels from the left edge.
bool isInDash(Qt::PenStyle style, double x)
{
    const auto within = [x](double period) { return std::fmod(x, period); };
    switch (style) {
    case Qt::DashLine:
        return within(13) < 8;
    case Qt::DotLine:
        return within(5) < 2;
    case Qt::DashDotLine:
        return within(16) < 8 || (within(16) >= 11 && within(16) < 13);
    default:
        return true;
    }
}

} // namespace

void LineRaster::Span::add(double y)
{
    const bool isEmpty = top > bottom;
    top = isEmpty ? y : std::min(top, y);
    bottom = isEmpty ? y : std::max(bottom, y);
}

void LineRaster::Span::add(const Span& other)
{
    if (other.top > other.bottom)
        return;
    add(other.top);
    add(other.bottom);
}

LineRaster::LineRaster(const QRectF& area, double ratio)
    : m_area(area.toAlignedRect())
    , m_ratio(ratio)
    , m_columns((m_area.size() * ratio).transposed(), QImage::Format_ARGB32_Premultiplied)
{
    m_columns.fill(Qt::transparent);
}

void LineRaster::paintOn(QPainter& painter) const
{
    painter.drawImage(QPointF(m_area.topLeft()), upright());
}

// Block by block: both sides of a block stay in the processor's cache.
QImage LineRaster::upright() const
{
    constexpr int kBlock = 16;
    const int width = m_columns.height();
    const int height = m_columns.width();
    QImage image(width, height, m_columns.format());
    image.setDevicePixelRatio(m_ratio);
    for (int left = 0; left < width; left += kBlock)
        for (int top = 0; top < height; top += kBlock)
            for (int y = top; y < std::min(top + kBlock, height); ++y) {
                auto* const row = reinterpret_cast<QRgb*>(image.scanLine(y));
                for (int x = left; x < std::min(left + kBlock, width); ++x)
                    row[x] = reinterpret_cast<const QRgb*>(m_columns.constScanLine(x))[y];
            }
    return image;
}

void LineRaster::draw(const std::vector<QPointF>& line, const QPen& pen)
{
    if (m_columns.isNull())
        return;
    m_spans.assign(static_cast<std::size_t>(m_columns.height()), {});
    QPointF before(std::nan(""), 0);
    for (const QPointF& point : line) {
        const QPointF at = (point - QPointF(m_area.topLeft())) * m_ratio;
        const bool isFinite = std::isfinite(at.x()) && std::isfinite(at.y());
        if (isFinite)
            addSegment(std::isfinite(before.x()) ? before : at, at);
        before = isFinite ? at : QPointF(std::nan(""), 0);
    }
    fill(pen);
}

// The part of the segment in each column that it crosses.
void LineRaster::addSegment(const QPointF& from, const QPointF& to)
{
    const auto width = static_cast<double>(m_spans.size());
    if (to.x() < 0 || from.x() >= width)
        return;
    const double slope = to.x() > from.x() ? (to.y() - from.y()) / (to.x() - from.x()) : 0;
    const auto first = static_cast<int>(std::floor(std::max(from.x(), 0.0)));
    const auto last = static_cast<int>(std::floor(std::min(to.x(), width - 1)));
    for (int column = first; column <= last; ++column) {
        Span& span = m_spans[static_cast<std::size_t>(column)];
        const bool begins = column <= from.x();
        const bool ends = column + 1 > to.x();
        span.add(begins ? from.y() : from.y() + (column - from.x()) * slope);
        span.add(ends ? to.y() : from.y() + (column + 1 - from.x()) * slope);
    }
}

void LineRaster::fill(const QPen& pen)
{
    const double width = std::max(pen.widthF(), 1.0) * m_ratio;
    // A steep line is as wide as a level one.
    const int beside = static_cast<int>(std::lround((width - 1) / 2 - 0.1));
    const QRgb color = qPremultiply(pen.color().rgba());
    const int columns = static_cast<int>(m_spans.size());
    for (int column = 0; column < columns; ++column) {
        if (!isInDash(pen.style(), column / m_ratio))
            continue;
        Span span = m_spans[static_cast<std::size_t>(column)];
        for (int other = std::max(0, column - beside);
             other <= std::min(columns - 1, column + beside); ++other)
            span.add(m_spans[static_cast<std::size_t>(other)]);
        if (span.top <= span.bottom)
            fillColumn(column, { span.top - width / 2, span.bottom + width / 2 }, color);
    }
}

void LineRaster::fillColumn(int column, const Span& span, QRgb color)
{
    const double top = std::max(span.top, 0.0);
    const double bottom = std::min(span.bottom, static_cast<double>(m_columns.width()));
    if (top >= bottom)
        return;
    QRgb* const pixels = reinterpret_cast<QRgb*>(m_columns.scanLine(column));
    // The rows that the span covers whole, and at most one before and one after them.
    const int first = static_cast<int>(std::ceil(top));
    const int last = static_cast<int>(std::floor(bottom));
    if (first > last) {
        blend(pixels[last], scaled(color, bottom - top));
        return;
    }
    if (first > top)
        blend(pixels[first - 1], scaled(color, first - top));
    if (qAlpha(color) == 255)
        std::fill(pixels + first, pixels + last, color);
    else
        std::for_each(pixels + first, pixels + last, [color](QRgb& each) { blend(each, color); });
    if (bottom > last)
        blend(pixels[last], scaled(color, bottom - last));
}

} // namespace accrue
