// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_hover.h"

#include <QPainter>

#include "ui/charts/chart_canvas.h"
#include "ui/charts/curve_look.h"

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

constexpr std::size_t kMostRows = 12;
constexpr double kWidest = 520; // pixels of the box's text
constexpr double kGap = 16;
constexpr double kStep = 4; // pixels that an arrow key goes at least
constexpr double kLine = 22; // a row's sample of its line
constexpr double kMarkerReach = 5; // pixels from a marker at which its text is shown

} // namespace

ChartHover::ChartHover(ChartCanvas* canvas)
    : QWidget(canvas->viewport())
    , m_canvas(canvas)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void ChartHover::showAt(const QPointF& position)
{
    m_mouseY = position.y();
    const ChartScale& scale = m_canvas->content().scale;
    m_x = nearestX(scale.dataX(m_canvas->axisX(position.x())));
    show();
    update();
}

void ChartHover::step(int direction)
{
    const QRectF& plot = m_canvas->plot();
    const ChartScale& scale = m_canvas->content().scale;
    double pixel = m_x ? m_canvas->pixelX(scale.x(*m_x)) : plot.center().x() - direction * kStep;
    std::optional<double> found = m_x;
    while (found == m_x && pixel >= plot.left() && pixel <= plot.right()) {
        pixel += direction * kStep;
        const auto there = nearestX(scale.dataX(m_canvas->axisX(pixel)));
        found = there ? there : found;
    }
    if (found != m_x)
        showAt(QPointF(m_canvas->pixelX(scale.x(*found)), plot.center().y()));
}

void ChartHover::showDrag(const QRect& frame)
{
    m_drag = frame;
    show();
    update();
}

void ChartHover::clear()
{
    m_x.reset();
    m_drag = {};
    hide();
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
        const bool dotsAlone = curve.line == Qt::NoPen; // which are what they are there, no line
        const SeriesPoint* point = nearestPoint(curve.points, *m_x, dotsAlone ? 0 : slack);
        if (!point || curve.title.isEmpty())
            continue;
        const double axis = content.scale.y(point->y);
        found.push_back({ curve.color, curve.line, curve.ring, curve.title, content.yText(point->y),
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
    paintBox(painter, box());
}

void ChartHover::paintPoints(QPainter& painter) const
{
    const ChartContent& content = m_canvas->content();
    for (const ChartCurve& curve : content.curves) {
        const SeriesPoint* point =
            curve.title.isEmpty() ? nullptr : nearestPoint(curve.points, *m_x, 0);
        if (!point || point->x != *m_x || !std::isfinite(content.scale.y(point->y)))
            continue;
        const QPointF at(m_canvas->pixelX(content.scale.x(point->x)) + curve.shift,
            m_canvas->pixelY(content.scale.y(point->y)));
        if (!m_canvas->plot().contains(at))
            continue;
        painter.setPen(QPen(palette().color(QPalette::Base), 1.5));
        painter.setBrush(curve.color);
        painter.drawEllipse(at, 4, 4);
    }
}

ChartHover::Box ChartHover::box() const
{
    Box box;
    box.rows = rows();
    box.more = notes();
    const std::size_t all = box.rows.size();
    if (all > kMostRows) { // those nearest to the mouse, in the order in which they stand
        const double y = m_mouseY;
        std::sort(box.rows.begin(), box.rows.end(), [y](const Row& a, const Row& b) {
            return std::abs(a.pixelY - y) < std::abs(b.pixelY - y);
        });
        box.rows.resize(kMostRows);
        std::sort(box.rows.begin(), box.rows.end(),
            [](const Row& a, const Row& b) { return a.pixelY < b.pixelY; });
        box.more.prepend(tr("%1 more").arg(all - kMostRows));
    }
    const ChartContent& content = m_canvas->content();
    box.head = content.xTitle.isEmpty() ? content.xText(*m_x)
                                        : tr("%1 %2").arg(content.xTitle, content.xText(*m_x));
    place(box);
    return box;
}

void ChartHover::place(Box& box) const
{
    const QFontMetricsF metrics(font());
    const double widest = std::min(width() * 0.62, kWidest);
    double valueWidth = 0;
    for (const Row& row : box.rows) {
        box.titleWidth = std::max(box.titleWidth, metrics.horizontalAdvance(row.title));
        valueWidth = std::max(valueWidth, metrics.horizontalAdvance(row.value));
    }
    box.titleWidth =
        std::min(box.titleWidth, std::max(40.0, widest - valueWidth - kLine - 2 * kGap));
    box.innerWidth = std::max(metrics.horizontalAdvance(box.head) * 1.1,
        kLine + 1.5 * kGap + box.titleWidth + valueWidth);
    for (const QString& text : box.more)
        box.innerWidth =
            std::max(box.innerWidth, std::min(metrics.horizontalAdvance(text), widest));
    box.rowHeight = std::ceil(metrics.height()) + 2;
    const auto lines =
        static_cast<double>(1 + box.rows.size()) + static_cast<double>(box.more.size());
    const QSizeF size(box.innerWidth + kGap, box.rowHeight * lines + 12);

    const double line = m_canvas->pixelX(m_canvas->content().scale.x(*m_x));
    double left = line + 12;
    if (left + size.width() > width() - 4)
        left = std::max(4.0, line - 12 - size.width());
    const double lowest = std::max(4.0, height() - size.height() - 4);
    box.rect = QRectF(QPointF(left, std::clamp(m_mouseY - size.height() / 2, 4.0, lowest)), size);
}

void ChartHover::paintBox(QPainter& painter, const Box& box) const
{
    painter.setPen(palette().color(QPalette::Mid));
    QColor ground = palette().color(QPalette::ToolTipBase);
    ground.setAlpha(245);
    painter.setBrush(ground);
    painter.drawRoundedRect(box.rect, 4, 4);
    QRectF place(box.rect.left() + kGap / 2, box.rect.top() + 6, box.innerWidth, box.rowHeight);
    painter.setPen(palette().color(QPalette::ToolTipText));
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft, box.head);
    painter.setFont(font());
    for (const Row& row : box.rows) {
        place.translate(0, box.rowHeight);
        paintRow(painter, row, place, box);
    }
    for (const QString& text : box.more) {
        place.translate(0, box.rowHeight);
        painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft,
            QFontMetricsF(font()).elidedText(text, Qt::ElideRight, box.innerWidth));
    }
}

void ChartHover::paintRow(
    QPainter& painter, const Row& row, const QRectF& place, const Box& box) const
{
    if (row.line == Qt::NoPen) {
        paintDot(painter, { place.left() + kLine / 2, place.center().y() }, row.color, row.ring);
    } else {
        painter.setPen(penOf(row.color, row.line, 2));
        painter.drawLine(QPointF(place.left(), place.center().y()),
            QPointF(place.left() + kLine, place.center().y()));
    }
    painter.setPen(palette().color(QPalette::ToolTipText));
    painter.drawText(place.adjusted(kLine + kGap / 2, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
        QFontMetricsF(font()).elidedText(row.title, Qt::ElideMiddle, box.titleWidth));
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignRight, row.value);
}

} // namespace accrue
