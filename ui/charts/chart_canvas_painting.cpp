// SPDX-License-Identifier: Apache-2.0
// How a chart is painted, around and over the lines that Qt Charts draws.
#include "ui/charts/chart_canvas.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QPainter>

#include "ui/charts/chart_hover.h"
#include "ui/charts/curve_look.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace accrue {

namespace {

constexpr double kDotReach = 6; // pixels from a dot's middle that belong to it

} // namespace

// A picture is kept only while the mouse moves over the chart: a live chart changes with each
// paint.
void ChartCanvas::paintEvent(QPaintEvent* event)
{
    if (m_hover->isHidden()) {
        prepareSeries();
        QChartView::paintEvent(event);
    } else {
        QPainter(viewport()).drawPixmap(0, 0, picture());
    }
    drawFocus(); // not in saved pictures
}

void ChartCanvas::drawFocus()
{
    if (!hasFocus())
        return;
    QPainter painter(viewport());
    painter.setPen(QPen(palette().color(QPalette::Link), 2));
    painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
}

const QPixmap& ChartCanvas::picture()
{
    const qreal ratio = devicePixelRatioF();
    const QSize size = viewport()->size() * ratio;
    if (m_pictureValid && m_picture.size() == size)
        return m_picture;
    m_picture = QPixmap(size);
    m_picture.setDevicePixelRatio(ratio);
    m_pictureValid = true;
    QPainter painter(&m_picture);
    drawAll(painter);
    return m_picture;
}

void ChartCanvas::prepareSeries()
{
    if (!m_seriesValid)
        fillSeries();
    m_seriesValid = true;
    m_chart->layout()->activate(); // Qt Charts would place its items in a later event
}

void ChartCanvas::drawAll(QPainter& painter)
{
    prepareSeries();
    painter.setRenderHints(renderHints());
    render(&painter, QRectF(viewport()->rect()), viewport()->rect());
}

void ChartCanvas::drawVector(QPainter& painter)
{
    m_writesCurves = true;
    m_chart->hide();
    render(&painter, QRectF(viewport()->rect()), viewport()->rect());
    m_chart->show();
    m_writesCurves = false;
}

void ChartCanvas::drawBackground(QPainter* painter, const QRectF&)
{
    painter->fillRect(viewport()->rect(), palette().color(QPalette::Base));
    if (!isEmpty())
        drawGrid(*painter);
    if (!isEmpty())
        drawRibbons(*painter);
    if (m_writesCurves)
        writeCurves(*painter);
}

void ChartCanvas::drawForeground(QPainter* painter, const QRectF& rect)
{
    painter->setRenderHint(QPainter::Antialiasing, true);
    drawTitles(*painter, rect);
    if (isEmpty()) {
        painter->setFont(font());
        painter->setPen(muted(0.65));
        painter->drawText(QRectF(viewport()->rect()).adjusted(24, 24, -24, -24),
            Qt::AlignCenter | Qt::TextWordWrap, m_content.emptyText);
        return;
    }
    drawTicks(*painter, rect);
    drawLegend(*painter, rect);
    if (!m_writesCurves)
        drawLoneDots(*painter);
    drawLevels(*painter);
    drawMarkers(*painter);
    drawMarkerLabels(*painter);
    drawNonFinite(*painter);
}

void ChartCanvas::drawGrid(QPainter& painter) const
{
    painter.save(); // the lines are painted with the hints that they find
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(muted(0.12), 1));
    for (const double tick : m_yTicks) {
        const double y = std::round(pixelY(tick));
        painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
    }
    painter.setPen(QPen(muted(0.35), 1));
    painter.drawLine(m_plot.bottomLeft(), m_plot.bottomRight());
    for (const double tick : m_xTicks) {
        const double x = std::round(pixelX(tick));
        painter.drawLine(QPointF(x, m_plot.bottom()), QPointF(x, m_plot.bottom() + 3));
    }
    painter.restore();
}

void ChartCanvas::drawRibbons(QPainter& painter) const
{
    painter.save();
    painter.setClipRect(m_plot);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    const auto at = [this](double x, double y) {
        const double axis = m_content.scale.y(y);
        return QPointF(pixelX(m_content.scale.x(x)),
            pixelY(std::isfinite(axis) ? axis : m_content.window.top()));
    };
    for (const ChartRibbon& ribbon : m_content.ribbons) {
        QPolygonF outline;
        for (const ChartRibbon::Edge& edge : ribbon.edges)
            outline.append(at(edge.x, edge.high));
        for (auto edge = ribbon.edges.rbegin(); edge != ribbon.edges.rend(); ++edge)
            outline.append(at(edge->x, edge->low));
        painter.setBrush(ribbon.color);
        painter.drawPolygon(outline);
    }
    painter.restore();
}

// Only what `rect` shows: to set text takes longer than to paint it.
void ChartCanvas::drawTicks(QPainter& painter, const QRectF& rect) const
{
    const QFontMetricsF small(smallFont());
    painter.setFont(smallFont());
    painter.setPen(muted(0.72));
    for (const double tick : m_yTicks) {
        const QRectF place(m_plot.left() - m_labelWidth - 6, pixelY(tick) - small.height() / 2,
            m_labelWidth, small.height());
        if (place.intersects(rect))
            painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter,
                m_content.yText(m_content.scale.dataY(tick)));
    }
    double free = 0; // where the last label ended
    for (const double tick : m_xTicks) {
        const QString text = m_content.xText(m_content.scale.dataX(tick));
        const double wide = small.horizontalAdvance(text);
        const double left = std::min(pixelX(tick) - wide / 2, width() - wide - 2);
        if (left < free)
            continue;
        const QRectF place(left, m_plot.bottom() + 4, wide + 1, small.height());
        if (place.intersects(rect))
            painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, text);
        free = left + wide + 10;
    }
}

void ChartCanvas::drawTitles(QPainter& painter, const QRectF& rect) const
{
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(palette().color(QPalette::Text));
    const QFontMetricsF metrics(bold);
    const QRectF row(kEdge, kEdge, width() - 2 * kEdge, metrics.height());
    const QString title = metrics.elidedText(m_content.title, Qt::ElideRight, row.width());
    if (rect.left() < row.left() + metrics.horizontalAdvance(title))
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, title);
    if (isEmpty())
        return;
    painter.setFont(smallFont());
    painter.setPen(muted(0.72));
    if (m_content.zoomed)
        painter.drawText(
            row, Qt::AlignRight | Qt::AlignVCenter, tr("zoomed, double click returns"));
    drawAxisTitles(painter, rect);
}

void ChartCanvas::drawAxisTitles(QPainter& painter, const QRectF& rect) const
{
    const double height = QFontMetricsF(smallFont()).height();
    painter.drawText(QRectF(m_plot.left(), m_plot.bottom() + 3 + height, m_plot.width(), height),
        Qt::AlignHCenter | Qt::AlignVCenter, m_content.xTitle);
    if (rect.left() >= kEdge + height)
        return;
    painter.save();
    painter.translate(kEdge, m_plot.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-m_plot.height() / 2, 0, m_plot.height(), height), Qt::AlignCenter,
        m_content.yTitle);
    painter.restore();
}

void ChartCanvas::drawLegend(QPainter& painter, const QRectF& rect) const
{
    painter.setFont(smallFont());
    for (const LegendEntry& entry : m_legend) {
        if (!entry.rect.adjusted(0, 0, 40, 0).intersects(rect))
            continue;
        const double middle = entry.rect.center().y();
        if (entry.pen && entry.pen->style() == Qt::NoPen) {
            paintDot(painter, { entry.rect.left() + kSwatch / 2, middle }, entry.pen->color(),
                entry.ring);
        } else if (entry.pen) {
            painter.setPen(*entry.pen);
            painter.drawLine(
                QPointF(entry.rect.left(), middle), QPointF(entry.rect.left() + kSwatch, middle));
        }
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(entry.rect.adjusted(entry.pen ? kSwatch + 5 : 0, 0, 40, 0),
            Qt::AlignLeft | Qt::AlignVCenter, entry.text);
    }
}

void ChartCanvas::drawMarkers(QPainter& painter) const
{
    for (const ChartMarker& marker : m_content.markers) {
        const double at = m_content.scale.x(marker.x);
        if (!(at >= m_content.window.left() && at <= m_content.window.right()))
            continue;
        const double x = std::round(pixelX(at)) + 0.5;
        QColor line = marker.color;
        line.setAlpha(150);
        painter.setPen(QPen(line, 1, Qt::DashLine));
        painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));
        painter.setPen(Qt::NoPen);
        painter.setBrush(marker.color);
        painter.drawPolygon(QPolygonF({ QPointF(x - 4, m_plot.top() - 5),
            QPointF(x + 4, m_plot.top() - 5), QPointF(x, m_plot.top() + 1) }));
    }
}

// In the rows kept for them above the plot; a label that would lie over another one goes a row up.
void ChartCanvas::drawMarkerLabels(QPainter& painter) const
{
    const QFontMetricsF small(smallFont());
    std::vector<QRectF> taken;
    for (const ChartMarker& marker : m_content.markers) {
        const double x = std::round(pixelX(m_content.scale.x(marker.x))) + 0.5;
        if (marker.label.isEmpty() || !(x >= m_plot.left() && x <= m_plot.right()))
            continue;
        const double wide = small.horizontalAdvance(marker.label) + 4;
        const bool onTheLeft = x + 6 + wide > width();
        QRectF place(onTheLeft ? std::max(0.0, x - 6 - wide) : x + 6,
            m_plot.top() - 6 - small.height(), wide, small.height());
        const auto isTaken = [&](const QRectF& other) { return other.intersects(place); };
        while (std::any_of(taken.begin(), taken.end(), isTaken))
            place.translate(0, -small.height() - 1);
        taken.push_back(place.adjusted(-8, 0, 8, 0));
        painter.setPen(QPen(marker.color, 1));
        painter.drawLine(QPointF(x, place.top() + 2), QPointF(x, m_plot.top() - 5));
        drawOnGround(painter, place, Qt::AlignCenter, marker.label);
    }
}

// Text that lines pass behind.
void ChartCanvas::drawOnGround(
    QPainter& painter, const QRectF& place, int align, const QString& text) const
{
    QColor ground = palette().color(QPalette::Base);
    ground.setAlpha(215);
    painter.fillRect(place, ground);
    painter.setFont(smallFont());
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(place, align, text);
}

// Not by Qt Charts, which has no rings around them.
void ChartCanvas::drawLoneDots(QPainter& painter) const
{
    for (const ChartCurve& curve : m_content.curves)
        if (isDotsAlone(curve))
            writeCurve(painter, curve);
}

ChartCanvas::Clutter ChartCanvas::clutter() const
{
    Clutter clutter;
    for (const ChartCurve& curve : m_content.curves) {
        auto& points = hasDots(curve) ? clutter.dots : clutter.ofLines;
        for (const SeriesPoint& point : curve.points) {
            const QPointF at(m_content.scale.x(point.x), m_content.scale.y(point.y));
            if (std::isfinite(at.x()) && std::isfinite(at.y()))
                points.emplace_back(pixelX(at.x()) + curve.shift, pixelY(at.y()));
        }
    }
    return clutter;
}

// At the end, and on the side, of its line where it hides the least.
QRectF ChartCanvas::placeOfLevel(double y, const QSizeF& size, const Clutter& clutter) const
{
    const auto hiddenBy = [&](const QRectF& place) {
        const QRectF near = place.adjusted(-kDotReach, -kDotReach, kDotReach, kDotReach);
        const auto isText = [&](const QRectF& text) { return text.intersects(place); };
        const auto isNear = [&](const QPointF& point) { return near.contains(point); };
        return std::array {
            std::count_if(clutter.texts.begin(), clutter.texts.end(), isText),
            std::count_if(clutter.dots.begin(), clutter.dots.end(), isNear),
            std::count_if(clutter.ofLines.begin(), clutter.ofLines.end(), isNear),
        };
    };
    std::vector<QRectF> places;
    for (const double top : { y - 3 - size.height(), y + 3 })
        for (const double left : { m_plot.left() + 4, m_plot.right() - 4 - size.width() })
            if (top >= m_plot.top() && top + size.height() <= m_plot.bottom())
                places.emplace_back(QPointF(left, top), size);
    const auto best = std::min_element(places.begin(), places.end(),
        [&](const QRectF& a, const QRectF& b) { return hiddenBy(a) < hiddenBy(b); });
    return best != places.end() ? *best : QRectF(QPointF(m_plot.left() + 4, y + 3), size);
}

void ChartCanvas::drawLevels(QPainter& painter) const
{
    if (m_content.levels.empty())
        return;
    const QFontMetricsF small(smallFont());
    Clutter clutter = this->clutter();
    for (const ChartLevel& level : m_content.levels) {
        const double axis = m_content.scale.y(level.y);
        if (!(axis >= m_content.window.top() && axis <= m_content.window.bottom()))
            continue;
        const double y = std::round(pixelY(axis)) + 0.5;
        painter.setPen(QPen(level.color, 1.5));
        painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
        const double wide = std::min(small.horizontalAdvance(level.text) + 4, m_plot.width() - 4);
        const QRectF place = placeOfLevel(y, { wide, small.height() }, clutter);
        clutter.texts.push_back(place);
        drawOnGround(
            painter, place, Qt::AlignCenter, small.elidedText(level.text, Qt::ElideRight, wide));
    }
}

void ChartCanvas::drawNonFinite(QPainter& painter) const
{
    for (const ChartCurve& curve : m_content.curves) {
        if (curve.faint)
            continue;
        painter.setPen(QPen(curve.color, 1.5));
        double last = -1;
        for (const double value : nonFiniteAt(curve.points)) {
            const double x = pixelX(m_content.scale.x(value));
            if (!(x >= m_plot.left() - 1 && x <= m_plot.right() + 1) || std::abs(x - last) < 4)
                continue;
            last = x;
            const QPointF at(x, m_plot.bottom() - 5);
            painter.drawLine(at + QPointF(-3, -3), at + QPointF(3, 3));
            painter.drawLine(at + QPointF(-3, 3), at + QPointF(3, -3));
        }
    }
}

} // namespace accrue
