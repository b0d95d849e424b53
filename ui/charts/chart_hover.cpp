// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_hover.h"

#include <QPainter>

#include "ui/charts/chart_canvas.h"

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

constexpr std::size_t kMostRows = 12;
constexpr double kMarkerReach = 5; // pixels from a marker at which its text is shown

} // namespace

ChartHover::ChartHover(ChartCanvas* canvas)
    : QWidget(canvas->viewport())
    , m_canvas(canvas)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
}

void ChartHover::showAt(const QPointF& position)
{
    m_mouseY = position.y();
    const ChartScale& scale = m_canvas->content().scale;
    m_x = nearestX(scale.dataX(m_canvas->axisX(position.x())));
    update();
}

void ChartHover::showDrag(const QRect& frame)
{
    m_drag = frame;
    update();
}

void ChartHover::clear()
{
    m_x.reset();
    m_drag = {};
    update();
}

std::optional<double> ChartHover::nearestX(double x) const
{
    std::optional<double> best;
    for (const ChartCurve& curve : m_canvas->content().curves) {
        const SeriesPoint* point = nearestPoint(curve.points, x, INFINITY);
        if (point && (!best || std::abs(point->x - x) < std::abs(*best - x)))
            best = point->x;
    }
    const QRectF& window = m_canvas->content().window;
    const double axis = best ? m_canvas->content().scale.x(*best) : NAN;
    return axis >= window.left() && axis <= window.right() ? best : std::nullopt;
}

std::vector<ChartHover::Row> ChartHover::rows() const
{
    const ChartContent& content = m_canvas->content();
    // Curves whose points fall a little beside the line still have a value there.
    const double slack =
        std::abs(content.scale.dataX(m_canvas->axisX(8)) - content.scale.dataX(m_canvas->axisX(0)));
    std::vector<Row> found;
    for (const ChartCurve& curve : content.curves) {
        const SeriesPoint* point = nearestPoint(curve.points, *m_x, slack);
        if (!point || curve.title.isEmpty())
            continue;
        const double axis = content.scale.y(point->y);
        found.push_back({ curve.color, curve.dashed, curve.title, content.yText(point->y),
            std::isfinite(axis) ? m_canvas->pixelY(axis) : NAN });
    }
    return found;
}

QStringList ChartHover::notes() const
{
    const ChartContent& content = m_canvas->content();
    const double here = m_canvas->pixelX(content.scale.x(*m_x));
    QStringList found;
    for (const ChartMarker& marker : content.markers)
        if (std::abs(m_canvas->pixelX(content.scale.x(marker.x)) - here) <= kMarkerReach
            && found.size() < 3)
            found.append(marker.text);
    return found;
}

void ChartHover::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_drag.isNull()) {
        QColor accent = palette().color(QPalette::Highlight);
        painter.setPen(accent);
        accent.setAlpha(40);
        painter.setBrush(accent);
        painter.drawRect(QRectF(m_drag).adjusted(0.5, 0.5, -0.5, -0.5));
        return;
    }
    if (!m_x || m_canvas->isEmpty())
        return;
    const double x = m_canvas->pixelX(m_canvas->content().scale.x(*m_x));
    QColor line = palette().color(QPalette::Text);
    line.setAlpha(120);
    painter.setPen(line);
    painter.drawLine(QPointF(x, m_canvas->plot().top()), QPointF(x, m_canvas->plot().bottom()));
    paintPoints(painter);
    paintBox(painter);
}

void ChartHover::paintPoints(QPainter& painter) const
{
    const ChartContent& content = m_canvas->content();
    for (const ChartCurve& curve : content.curves) {
        const SeriesPoint* point =
            curve.title.isEmpty() ? nullptr : nearestPoint(curve.points, *m_x, 0);
        if (!point || point->x != *m_x || !std::isfinite(content.scale.y(point->y)))
            continue;
        const QPointF at(m_canvas->pixelX(content.scale.x(point->x)),
            m_canvas->pixelY(content.scale.y(point->y)));
        if (!m_canvas->plot().contains(at))
            continue;
        painter.setPen(QPen(palette().color(QPalette::Base), 1.5));
        painter.setBrush(curve.color);
        painter.drawEllipse(at, 4, 4);
    }
}

void ChartHover::paintBox(QPainter& painter) const
{
    std::vector<Row> shown = rows();
    const std::size_t all = shown.size();
    if (all > kMostRows) { // those nearest to the mouse, in the order in which they stand
        std::sort(shown.begin(), shown.end(), [this](const Row& a, const Row& b) {
            return std::abs(a.pixelY - m_mouseY) < std::abs(b.pixelY - m_mouseY);
        });
        shown.resize(kMostRows);
        std::sort(shown.begin(), shown.end(),
            [](const Row& a, const Row& b) { return a.pixelY < b.pixelY; });
    }
    QStringList more = notes();
    if (all > shown.size())
        more.prepend(tr("%n more", nullptr, static_cast<int>(all - shown.size())));

    const ChartContent& content = m_canvas->content();
    const QString head = content.xTitle.isEmpty()
        ? content.xText(*m_x)
        : tr("%1 %2").arg(content.xTitle, content.xText(*m_x));
    const QFontMetricsF metrics(font());
    const double widest = std::min(width() * 0.55, 420.0);
    double titleWidth = 0;
    double valueWidth = 0;
    for (const Row& row : shown) {
        titleWidth = std::max(titleWidth, metrics.horizontalAdvance(row.title));
        valueWidth = std::max(valueWidth, metrics.horizontalAdvance(row.value));
    }
    titleWidth = std::min(titleWidth, std::max(40.0, widest - valueWidth - 44));
    double inner = std::max(metrics.horizontalAdvance(head), 16 + titleWidth + 16 + valueWidth);
    for (const QString& text : more)
        inner = std::max(inner, std::min(metrics.horizontalAdvance(text), widest));
    const double rowHeight = std::ceil(metrics.height()) + 2;
    const QSizeF size(inner + 16,
        rowHeight * (1 + static_cast<double>(shown.size()) + static_cast<double>(more.size()))
            + 12);

    const double lineX = m_canvas->pixelX(content.scale.x(*m_x));
    double left = lineX + 12;
    if (left + size.width() > width() - 4)
        left = std::max(4.0, lineX - 12 - size.width());
    const double top =
        std::clamp(m_mouseY - size.height() / 2, 4.0, std::max(4.0, height() - size.height() - 4));
    const QRectF box(QPointF(left, top), size);

    painter.setPen(palette().color(QPalette::Mid));
    QColor ground = palette().color(QPalette::ToolTipBase);
    ground.setAlpha(245);
    painter.setBrush(ground);
    painter.drawRoundedRect(box, 4, 4);
    const QColor ink = palette().color(QPalette::ToolTipText);
    QRectF row(box.left() + 8, box.top() + 6, inner, rowHeight);
    painter.setPen(ink);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft, head);
    painter.setFont(font());
    for (const Row& each : shown) {
        row.translate(0, rowHeight);
        painter.setPen(QPen(each.color, 2, each.dashed ? Qt::DotLine : Qt::SolidLine));
        painter.drawLine(
            QPointF(row.left(), row.center().y()), QPointF(row.left() + 11, row.center().y()));
        painter.setPen(ink);
        painter.drawText(row.adjusted(16, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
            metrics.elidedText(each.title, Qt::ElideMiddle, titleWidth));
        painter.drawText(row, Qt::AlignVCenter | Qt::AlignRight, each.value);
    }
    for (const QString& text : more) {
        row.translate(0, rowHeight);
        painter.setPen(ink);
        painter.drawText(
            row, Qt::AlignVCenter | Qt::AlignLeft, metrics.elidedText(text, Qt::ElideRight, inner));
    }
}

} // namespace accrue
