// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_canvas.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QLineSeries>
#include <QPainter>
#include <QValueAxis>

#include "ui/charts/chart_hover.h"
#include "ui/charts/curve_look.h"
#include "ui/charts/live_description.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace accrue {

namespace {

constexpr std::size_t kMostSegments = 60; // lines a curve is cut into by values not finite
constexpr qsizetype kTail = 96; // points of a line that may be outlined with each new one
constexpr double kDotRoom = 8; // pixels that a point's dot or mark takes around it
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

// Exactly: the comparison of QPointF is a rough one.
bool samePoints(const QList<QPointF>& a, const QList<QPointF>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
        [](const QPointF& p, const QPointF& q) { return p.x() == q.x() && p.y() == q.y(); });
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
    m_description = new LiveDescription(this, [this] { return lastValues(); });
}

void ChartCanvas::contentChanged()
{
    layOut();
    if (accessibleName() != m_content.title)
        setAccessibleName(m_content.title);
    m_description->refresh();
    m_hover->update();
    m_seriesValid = false;
    invalidate();
}

// Nothing moves left of fromX, so that only the rest is painted: a run that grows changes little
// with each look.
void ChartCanvas::curvesGrew(double fromX)
{
    m_seriesValid = false;
    m_pictureValid = false;
    m_description->refresh();
    m_hover->update();
    const double left = std::floor(pixelX(m_content.scale.x(fromX)) - kDotRoom);
    QRect changed = viewport()->rect();
    if (left > 0) // also where it is no number
        changed.setLeft(static_cast<int>(std::min(left, double(width()))));
    viewport()->update(changed);
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

QString ChartCanvas::lastValues() const
{
    if (isEmpty())
        return m_content.emptyText;
    QStringList values;
    for (const ChartCurve& curve : m_content.curves) {
        if (curve.points.empty() || curve.title.isEmpty())
            continue;
        const SeriesPoint& last = curve.points.back();
        values.append(tr("%1: %2 at %3 %4")
                          .arg(curve.title, m_content.yText(last.y), m_content.xTitle,
                              m_content.xText(last.x)));
    }
    return values.join(QStringLiteral("; "));
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

// ---- layout ----------------------------------------------------------------------------------

void ChartCanvas::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    layOut();
    m_seriesValid = false;
    invalidate();
}

void ChartCanvas::layOut()
{
    const QFontMetricsF small(smallFont());
    double top = kEdge;
    if (!m_content.title.isEmpty())
        top += std::ceil(QFontMetricsF(font()).height()) + 4;
    top += layOutLegend(top);
    const auto labels = std::count_if(m_content.markers.begin(), m_content.markers.end(),
        [](const ChartMarker& marker) { return !marker.label.isEmpty(); });
    if (labels > 0)
        top += 2 + static_cast<double>(labels) * (small.height() + 1);
    double bottom = height() - kEdge / 2 - small.height() - 4;
    if (!m_content.xTitle.isEmpty())
        bottom -= small.height();
    const double left = kEdge + (m_content.yTitle.isEmpty() ? 0 : small.height());

    m_yTicks =
        yTicks(std::max(2, static_cast<int>((bottom - top) / (m_content.scale.logY ? 32 : 44))));
    double widest = 24;
    for (const double tick : m_yTicks)
        widest =
            std::max(widest, small.horizontalAdvance(m_content.yText(m_content.scale.dataY(tick))));
    m_labelWidth = std::max(m_labelWidth, std::ceil(widest / kLabelStep) * kLabelStep);

    const int needed = static_cast<int>(std::ceil(left + m_labelWidth + 6));
    const double begin = std::max(needed, m_content.leastLeft);
    m_plot = QRectF(QPointF(begin, top),
        QPointF(std::max(begin + 14, width() - 2 * kEdge), std::max(top + 10, bottom)));
    m_xTicks = xTicks(std::max(2, static_cast<int>(m_plot.width() / 90)));
    m_chart->setPlotArea(m_plot);
    m_hover->setGeometry(viewport()->rect());
    if (std::exchange(m_neededLeft, needed) != needed)
        Q_EMIT neededLeftChanged();
}

// As many as have a text of their own: steps have none between two of them.
std::vector<double> ChartCanvas::xTicks(int wanted) const
{
    const auto textOf = [this](
                            double tick) { return m_content.xText(m_content.scale.dataX(tick)); };
    const auto sameText = [&](double a, double b) { return textOf(a) == textOf(b); };
    std::vector<double> ticks = roundXTicks(wanted);
    while (wanted > 1 && std::adjacent_find(ticks.begin(), ticks.end(), sameText) != ticks.end())
        ticks = roundXTicks(--wanted);
    return ticks;
}

std::vector<double> ChartCanvas::roundXTicks(int wanted) const
{
    const double low = m_content.window.left();
    const double high = m_content.window.right();
    if (!m_content.scale.logX)
        return niceTicks(low, high, wanted);
    return m_content.xInPowersOfTwo ? logTwoTicks(low, high, wanted) : logTicks(low, high, wanted);
}

std::vector<double> ChartCanvas::yTicks(int wanted) const
{
    const double low = m_content.window.top();
    const double high = m_content.window.bottom();
    if (m_content.yInBytes)
        return m_content.scale.logY ? logByteTicks(low, high, wanted)
                                    : byteTicks(low, high, wanted);
    return m_content.scale.logY ? logTicks(low, high, wanted) : niceTicks(low, high, wanted);
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
            text = tr("+ %1 more").arg(named.size() - i);
        m_legend.push_back(
            { full ? std::nullopt : std::optional(penOf(named[i]->color, named[i]->line, 2)),
                named[i]->ring, text, QRectF(at, QSizeF(wide, rowHeight)) });
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

// A line is drawn as what has settled and a short tail, because Qt Charts outlines all points of a
// series that is given a new one. Solid lines have no joins that a cut would show.
void ChartCanvas::drawLine(const ChartCurve& curve, const QList<QPointF>& line, bool dots)
{
    const bool whole = curve.line != Qt::SolidLine || line.size() <= kTail;
    const qsizetype settled = whole ? line.size() : line.size() - line.size() % kTail;
    fillNext(curve, line.first(settled), dots);
    if (settled < line.size())
        fillNext(curve, line.sliced(settled - 1), dots);
}

QPen ChartCanvas::linePen(const ChartCurve& curve) const
{
    QColor color = curve.color;
    color.setAlpha(curve.faint ? 70 : 255);
    QPen pen = penOf(color, curve.line, curve.faint || !isWide(curve) ? 1 : 1.5);
    pen.setCosmetic(true);
    return pen;
}

void ChartCanvas::fillNext(const ChartCurve& curve, const QList<QPointF>& points, bool dots)
{
    QLineSeries* series = seriesAt(m_used++);
    series->setPen(linePen(curve));
    series->setPointsVisible(dots || points.size() == 1);
    series->setMarkerSize(kDotRadius); // Qt Charts takes it for the radius
    if (!samePoints(series->points(), points))
        series->replace(points);
    series->show();
}

void ChartCanvas::fillSeries()
{
    const QRectF& window = m_content.window;
    m_xAxis->setRange(window.left(), window.right());
    m_yAxis->setRange(window.top(), window.bottom());
    m_used = 0;
    for (const bool faint : { true, false })
        for (const ChartCurve& curve : m_content.curves)
            if (curve.faint == faint && !isDotsAlone(curve))
                for (const QList<QPointF>& segment : segmentsOfCurve(curve))
                    drawLine(curve, hasDots(curve) ? segment : withoutLevelPoints(segment),
                        hasDots(curve));
    for (std::size_t i = m_used; i < m_series.size(); ++i) {
        m_series[i]->hide();
        m_series[i]->replace(QList<QPointF>());
    }
    setRenderHint(QPainter::Antialiasing, areSmooth(m_content.curves));
}

std::vector<QList<QPointF>> ChartCanvas::segmentsOfCurve(const ChartCurve& curve) const
{
    const QRectF& window = m_content.window;
    auto segments = segmentsOf(curve.points, m_content.scale, window.left(), window.right());
    joinBeyond(segments, kMostSegments);
    const double shift = curve.shift * window.width() / m_plot.width();
    for (QList<QPointF>& segment : segments)
        for (QPointF& point : segment)
            point.rx() += shift;
    return segments;
}

// ---- lines of a picture that is written down -------------------------------------------------

void ChartCanvas::writeCurves(QPainter& painter) const
{
    painter.save();
    for (const bool faint : { true, false })
        for (const ChartCurve& curve : m_content.curves)
            if (curve.faint == faint)
                writeCurve(painter, curve);
    painter.restore();
}

void ChartCanvas::writeCurve(QPainter& painter, const ChartCurve& curve) const
{
    for (const QList<QPointF>& segment : segmentsOfCurve(curve)) {
        if (!isDotsAlone(curve))
            writeLine(painter, curve, segment);
        if (hasDots(curve) || segment.size() == 1)
            writeDots(painter, curve, segment);
    }
}

void ChartCanvas::writeLine(
    QPainter& painter, const ChartCurve& curve, const QList<QPointF>& line) const
{
    painter.setPen(linePen(curve));
    painter.setBrush(Qt::NoBrush);
    for (QList<QPointF> part : clipped(withoutLevelPoints(line), m_content.window)) {
        for (QPointF& point : part)
            point = { pixelX(point.x()), pixelY(point.y()) };
        painter.drawPolyline(part.data(), static_cast<int>(part.size()));
    }
}

void ChartCanvas::writeDots(
    QPainter& painter, const ChartCurve& curve, const QList<QPointF>& points) const
{
    const QColor color = linePen(curve).color();
    for (const QPointF& point : points)
        if (m_content.window.contains(point))
            paintDot(painter, { pixelX(point.x()), pixelY(point.y()) }, color, curve.ring,
                isDotsAlone(curve) ? kLoneDotRadius : kDotRadius);
}

} // namespace accrue
