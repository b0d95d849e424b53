// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_canvas.h"

#include <QApplication>
#include <QChart>
#include <QGraphicsLayout>
#include <QKeyEvent>
#include <QLineSeries>
#include <QMouseEvent>
#include <QPainter>
#include <QValueAxis>

#include "ui/charts/chart_hover.h"

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

constexpr double kEdge = 8; // pixels around and between
constexpr double kSwatch = 14; // a legend's line
constexpr int kDotsUpTo = 40; // points of a curve that are also drawn as dots
constexpr int kWideUpTo = 300; // points of a line that is drawn wider than a hairline
constexpr int kSmoothUpTo = 6000; // points of a chart that are drawn with antialiasing
constexpr std::size_t kMostSegments = 60; // lines a curve is cut into by values not finite
constexpr double kLabelStep = 12; // pixels by which the room for tick labels grows

// More cuts than that cannot be told apart on a screen: the rest is joined.
void joinBeyond(std::vector<QList<QPointF>>& segments, std::size_t most)
{
    while (segments.size() > most) {
        segments[most - 1].append(segments.back());
        segments.pop_back();
    }
    if (segments.size() == most)
        std::sort(segments.back().begin(), segments.back().end(),
            [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); });
}

} // namespace

ChartCanvas::ChartCanvas(ChartContent& content, QWidget* parent)
    : QChartView(parent)
    , m_content(content)
    , m_chart(chart())
    , m_xAxis(new QValueAxis(m_chart))
    , m_yAxis(new QValueAxis(m_chart))
{
    m_chart->legend()->hide();
    m_chart->setBackgroundVisible(false);
    m_chart->setMargins({});
    m_chart->layout()->setContentsMargins(0, 0, 0, 0);
    for (QValueAxis* axis : { m_xAxis, m_yAxis })
        axis->setVisible(false);
    m_chart->addAxis(m_xAxis, Qt::AlignBottom);
    m_chart->addAxis(m_yAxis, Qt::AlignLeft);
    setFrameShape(QFrame::NoFrame);
    setInteractive(false);
    setViewportUpdateMode(NoViewportUpdate); // the picture is painted when the content changes
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // nothing below is painted for it
    m_hover = new ChartHover(this);
}

void ChartCanvas::contentChanged()
{
    layOut();
    setAccessibleName(m_content.title);
    m_hover->update();
    m_seriesValid = false;
    invalidate();
}

void ChartCanvas::invalidate()
{
    m_pictureValid = false;
    viewport()->update();
}

void ChartCanvas::forgetLayout()
{
    m_labelWidth = 0;
}

bool ChartCanvas::isEmpty() const
{
    return std::all_of(m_content.curves.begin(), m_content.curves.end(),
        [](const ChartCurve& curve) { return curve.points.empty(); });
}

double ChartCanvas::axisX(double pixel) const
{
    return m_content.window.left()
        + (pixel - m_plot.left()) / m_plot.width() * m_content.window.width();
}

double ChartCanvas::pixelX(double axisX) const
{
    return m_plot.left()
        + (axisX - m_content.window.left()) / m_content.window.width() * m_plot.width();
}

double ChartCanvas::pixelY(double axisY) const
{
    return m_plot.bottom()
        - (axisY - m_content.window.top()) / m_content.window.height() * m_plot.height();
}

QFont ChartCanvas::smallFont() const
{
    QFont small = font();
    if (small.pixelSize() > 0)
        small.setPixelSize(std::max(9, small.pixelSize() - 2));
    else
        small.setPointSizeF(small.pointSizeF() * 0.88);
    return small;
}

QColor ChartCanvas::muted(double share) const
{
    const QColor ink = palette().color(QPalette::Text);
    const QColor ground = palette().color(QPalette::Base);
    const auto mix = [share](int a, int b) {
        return static_cast<int>(std::lround(a * share + b * (1 - share)));
    };
    return QColor(mix(ink.red(), ground.red()), mix(ink.green(), ground.green()),
        mix(ink.blue(), ground.blue()));
}

// ---- layout ----------------------------------------------------------------------------------

void ChartCanvas::layOut()
{
    const QFontMetricsF small(smallFont());
    double top = kEdge;
    if (!m_content.title.isEmpty())
        top += std::ceil(QFontMetricsF(font()).height()) + 4;
    top += layOutLegend(top);
    double bottom = height() - kEdge / 2 - small.height() - 4;
    if (!m_content.xTitle.isEmpty())
        bottom -= small.height();
    const double left = kEdge + (m_content.yTitle.isEmpty() ? 0 : small.height());

    m_yTicks = m_content.scale.logY ? logTicks(m_content.window.top(), m_content.window.bottom(),
                   std::max(2, static_cast<int>((bottom - top) / 32)))
                                    : niceTicks(m_content.window.top(), m_content.window.bottom(),
                                        std::max(2, static_cast<int>((bottom - top) / 44)));
    double widest = 24;
    for (const double tick : m_yTicks)
        widest =
            std::max(widest, small.horizontalAdvance(m_content.yText(m_content.scale.dataY(tick))));
    m_labelWidth = std::max(m_labelWidth, std::ceil(widest / kLabelStep) * kLabelStep);

    m_plot = QRectF(QPointF(left + m_labelWidth + 6, top),
        QPointF(
            std::max(left + m_labelWidth + 20, width() - 2 * kEdge), std::max(top + 10, bottom)));
    const int wanted = std::max(2, static_cast<int>(m_plot.width() / 90));
    m_xTicks = m_content.scale.logX
        ? logTicks(m_content.window.left(), m_content.window.right(), wanted)
        : niceTicks(m_content.window.left(), m_content.window.right(), wanted);
    m_chart->setPlotArea(m_plot);
    m_hover->setGeometry(viewport()->rect());
}

double ChartCanvas::layOutLegend(double top)
{
    m_legend.clear();
    std::vector<const ChartCurve*> named;
    for (const ChartCurve& curve : m_content.curves)
        if (!curve.title.isEmpty() && !curve.faint)
            named.push_back(&curve);
    if (!m_content.legend || named.size() < 2)
        return 4;
    const QFontMetricsF small(smallFont());
    const double rowHeight = std::ceil(small.height()) + 2;
    const double right = width() - kEdge;
    const double mostHeight = std::max(rowHeight, height() * 0.22);
    QPointF at(kEdge, top);
    for (std::size_t i = 0; i < named.size(); ++i) {
        QString text =
            small.elidedText(named[i]->title, Qt::ElideMiddle, width() - 2 * kEdge - kSwatch - 24);
        double wide = kSwatch + 5 + small.horizontalAdvance(text) + 14;
        if (at.x() + wide > right && at.x() > kEdge)
            at = QPointF(kEdge, at.y() + rowHeight);
        const bool lastRow = at.y() + 2 * rowHeight > top + mostHeight;
        const bool full = lastRow && at.x() + wide + 60 > right && i + 1 < named.size();
        if (full)
            text = tr("+ %n more", nullptr, static_cast<int>(named.size() - i));
        m_legend.push_back(
            { full ? nullptr : named[i], text, QRectF(at, QSizeF(wide, rowHeight)) });
        if (full)
            break;
        at.rx() += wide;
    }
    return at.y() + rowHeight - top + 6;
}

// ---- lines -----------------------------------------------------------------------------------

QLineSeries* ChartCanvas::seriesAt(std::size_t index)
{
    while (m_series.size() <= index) {
        auto* series = new QLineSeries(m_chart);
        m_chart->addSeries(series);
        series->attachAxis(m_xAxis);
        series->attachAxis(m_yAxis);
        m_series.push_back(series);
    }
    return m_series[index];
}

void ChartCanvas::fillSeries(bool clip)
{
    const QRectF& window = m_content.window;
    m_xAxis->setRange(window.left(), window.right());
    m_yAxis->setRange(window.top(), window.bottom());
    std::size_t used = 0;
    qsizetype points = 0;
    const auto draw = [&](const ChartCurve& curve, const QList<QPointF>& line, bool dots) {
        QLineSeries* series = seriesAt(used++);
        QColor color = curve.color;
        color.setAlpha(curve.faint ? 70 : 255);
        QPen pen(color, curve.faint ? 1 : 1.5, curve.dashed ? Qt::DashLine : Qt::SolidLine);
        pen.setCosmetic(true);
        // Wide lines with joins cost several times a hairline's paint once there are many points.
        if (line.size() > kWideUpTo)
            pen.setWidthF(1);
        series->setPen(pen);
        series->setPointsVisible(dots || line.size() == 1);
        series->setMarkerSize(5);
        series->replace(line);
        series->show();
        points += line.size();
    };
    for (const bool faint : { true, false })
        for (const ChartCurve& curve : m_content.curves) {
            if (curve.faint != faint)
                continue;
            auto segments =
                segmentsOf(curve.points, m_content.scale, window.left(), window.right());
            joinBeyond(segments, kMostSegments);
            const bool dots = curve.points.size() <= kDotsUpTo && !faint;
            for (const QList<QPointF>& segment : segments) {
                if (!clip) {
                    draw(curve, dots ? segment : withoutLevelPoints(segment), dots);
                    continue;
                }
                for (const QList<QPointF>& part : clipped(segment, window))
                    draw(curve, part, false);
            }
        }
    for (std::size_t i = used; i < m_series.size(); ++i) {
        m_series[i]->hide();
        m_series[i]->replace(QList<QPointF>());
    }
    setRenderHint(QPainter::Antialiasing, points <= kSmoothUpTo);
}

// ---- painting --------------------------------------------------------------------------------

// A picture is kept only while the mouse moves over the chart: a live chart changes with each
// paint.
void ChartCanvas::paintEvent(QPaintEvent* event)
{
    if (m_hover->isHidden()) {
        prepareSeries(false);
        QChartView::paintEvent(event);
    } else {
        QPainter(viewport()).drawPixmap(0, 0, picture());
    }
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
    drawAll(painter, false);
    return m_picture;
}

void ChartCanvas::prepareSeries(bool clip)
{
    if (clip || !m_seriesValid)
        fillSeries(clip);
    m_seriesValid = !clip;
    m_chart->layout()->activate(); // Qt Charts would place its items in a later event
}

void ChartCanvas::drawAll(QPainter& painter, bool clip)
{
    prepareSeries(clip);
    painter.setRenderHints(renderHints());
    render(&painter, QRectF(viewport()->rect()), viewport()->rect());
}

void ChartCanvas::drawBackground(QPainter* painter, const QRectF&)
{
    painter->fillRect(viewport()->rect(), palette().color(QPalette::Base));
    if (!isEmpty())
        drawGrid(*painter);
}

void ChartCanvas::drawForeground(QPainter* painter, const QRectF&)
{
    painter->setRenderHint(QPainter::Antialiasing, true);
    drawTitles(*painter);
    if (isEmpty()) {
        painter->setFont(font());
        painter->setPen(muted(0.65));
        painter->drawText(QRectF(viewport()->rect()).adjusted(24, 24, -24, -24),
            Qt::AlignCenter | Qt::TextWordWrap, m_content.emptyText);
        return;
    }
    drawTicks(*painter);
    drawLegend(*painter);
    drawMarkers(*painter);
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

void ChartCanvas::drawTicks(QPainter& painter) const
{
    const QFontMetricsF small(smallFont());
    painter.setFont(smallFont());
    painter.setPen(muted(0.72));
    for (const double tick : m_yTicks) {
        const QRectF place(m_plot.left() - m_labelWidth - 6, pixelY(tick) - small.height() / 2,
            m_labelWidth, small.height());
        painter.drawText(
            place, Qt::AlignRight | Qt::AlignVCenter, m_content.yText(m_content.scale.dataY(tick)));
    }
    double free = 0; // where the last label ended
    for (const double tick : m_xTicks) {
        const QString text = m_content.xText(m_content.scale.dataX(tick));
        const double wide = small.horizontalAdvance(text);
        const double left = std::min(pixelX(tick) - wide / 2, width() - wide - 2);
        if (left < free)
            continue;
        painter.drawText(QRectF(left, m_plot.bottom() + 4, wide + 1, small.height()),
            Qt::AlignLeft | Qt::AlignVCenter, text);
        free = left + wide + 10;
    }
}

void ChartCanvas::drawTitles(QPainter& painter) const
{
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(palette().color(QPalette::Text));
    const QRectF row(kEdge, kEdge, width() - 2 * kEdge, QFontMetricsF(bold).height());
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(bold).elidedText(m_content.title, Qt::ElideRight, row.width()));
    if (isEmpty())
        return;
    const QFontMetricsF small(smallFont());
    painter.setFont(smallFont());
    painter.setPen(muted(0.72));
    if (m_content.zoomed)
        painter.drawText(
            row, Qt::AlignRight | Qt::AlignVCenter, tr("zoomed, double click returns"));
    painter.drawText(
        QRectF(m_plot.left(), m_plot.bottom() + 3 + small.height(), m_plot.width(), small.height()),
        Qt::AlignHCenter | Qt::AlignVCenter, m_content.xTitle);
    painter.save();
    painter.translate(kEdge, m_plot.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-m_plot.height() / 2, 0, m_plot.height(), small.height()),
        Qt::AlignCenter, m_content.yTitle);
    painter.restore();
}

void ChartCanvas::drawLegend(QPainter& painter) const
{
    painter.setFont(smallFont());
    for (const LegendEntry& entry : m_legend) {
        const double middle = entry.rect.center().y();
        if (entry.curve) {
            painter.setPen(
                QPen(entry.curve->color, 2, entry.curve->dashed ? Qt::DotLine : Qt::SolidLine));
            painter.drawLine(
                QPointF(entry.rect.left(), middle), QPointF(entry.rect.left() + kSwatch, middle));
        }
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(entry.rect.adjusted(entry.curve ? kSwatch + 5 : 0, 0, 40, 0),
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

// ---- hands -----------------------------------------------------------------------------------

void ChartCanvas::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    layOut();
    m_seriesValid = false;
    invalidate();
}

void ChartCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || isEmpty() || !m_plot.contains(event->position()))
        return;
    m_pressed = event->pos();
    m_dragging = true;
}

void ChartCanvas::mouseMoveEvent(QMouseEvent* event)
{
    const bool far =
        (event->pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance();
    if (m_dragging && far)
        m_hover->showDrag(QRect(m_pressed, event->pos()).normalized() & m_plot.toRect());
    else if (m_plot.contains(event->position()))
        m_hover->showAt(event->position());
    else
        m_hover->clear();
}

void ChartCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_dragging || event->button() != Qt::LeftButton)
        return;
    m_dragging = false;
    m_hover->clear();
    const QRect frame = QRect(m_pressed, event->pos()).normalized() & m_plot.toRect();
    // A flat drag chooses a span of x only, a narrow one is no drag.
    if (frame.width() < QApplication::startDragDistance())
        return;
    QRectF window = m_content.window;
    window.setLeft(axisX(frame.left()));
    window.setRight(axisX(frame.right()));
    if (frame.height() >= 24) {
        const auto axisY = [this](double pixel) {
            return m_content.window.top()
                + (m_plot.bottom() - pixel) / m_plot.height() * m_content.window.height();
        };
        window = QRectF(QPointF(window.left(), axisY(frame.bottom())),
            QPointF(window.right(), axisY(frame.top())));
    }
    Q_EMIT windowChosen(window);
}

void ChartCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    m_dragging = false;
    if (event->button() == Qt::LeftButton)
        Q_EMIT zoomLeft();
}

void ChartCanvas::leaveEvent(QEvent* event)
{
    m_hover->clear();
    QChartView::leaveEvent(event);
}

void ChartCanvas::wheelEvent(QWheelEvent* event)
{
    event->ignore(); // the page scrolls
}

void ChartCanvas::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_content.zoomed)
        Q_EMIT zoomLeft();
    else if (event->key() == Qt::Key_Left)
        moveCrosshair(-1);
    else if (event->key() == Qt::Key_Right)
        moveCrosshair(1);
    else
        event->ignore();
}

void ChartCanvas::moveCrosshair(int direction)
{
    const auto at = m_hover->lineAt();
    const double pixel = at ? pixelX(m_content.scale.x(*at)) + direction * 4 : m_plot.center().x();
    m_hover->showAt(QPointF(std::clamp(pixel, m_plot.left(), m_plot.right()), m_plot.center().y()));
}

void ChartCanvas::focusInEvent(QFocusEvent* event)
{
    QChartView::focusInEvent(event);
    m_hover->update();
}

void ChartCanvas::focusOutEvent(QFocusEvent* event)
{
    QChartView::focusOutEvent(event);
    m_hover->clear();
}

QStringList ChartCanvas::linesAt(double x) const
{
    QStringList lines;
    for (const ChartCurve& curve : m_content.curves) {
        const SeriesPoint* point = nearestPoint(curve.points, x, 0);
        if (point && !curve.title.isEmpty())
            lines.append(QStringLiteral("%1: %2").arg(curve.title, m_content.yText(point->y)));
    }
    return lines;
}

} // namespace accrue
