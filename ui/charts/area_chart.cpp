// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/area_chart.h"

#include "ui/charts/axis_range.h"
#include "ui/charts/chart_picture.h"
#include "ui/charts/live_description.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace accrue {

namespace {

constexpr double kEdge = 8; // around and between
constexpr double kSwatch = 10;
constexpr double kBoxPad = 8;

double valueAt(const ChartArea& area, std::size_t point)
{
    return point < area.values.size() ? area.values[point] : 0;
}

// The neighbour of `from`, or the end to begin with.
std::size_t stepped(const std::optional<std::size_t>& from, std::size_t count, bool back)
{
    if (!from)
        return back ? count - 1 : 0;
    if (back)
        return *from == 0 ? 0 : *from - 1;
    return std::min(count - 1, *from + 1);
}

} // namespace

AreaChart::AreaChart(QWidget* parent)
    : QWidget(parent)
    , m_text([](double value) { return QString::number(value, 'g', 5); })
    , m_description(new LiveDescription(this, [this] { return words(); }))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void AreaChart::setTitle(const QString& title)
{
    m_title = title;
    setAccessibleName(title);
    layOut();
}

void AreaChart::setValueFormatter(Formatter formatter)
{
    m_text = std::move(formatter);
    layOut();
}

void AreaChart::setEmptyText(const QString& text)
{
    m_emptyText = text;
    update();
}

void AreaChart::setContent(AreaContent content)
{
    m_content = std::move(content);
    if (m_hovered && *m_hovered >= m_content.xs.size())
        m_hovered.reset();
    m_explained.reset();
    layOut();
}

void AreaChart::savePicture(const QString& path, std::function<void(bool written)> done)
{
    const PaintChart paint = [this](QPainter& painter) { paintAll(painter); };
    savePictureOf(
        this, path, [&] { return imageOf(size(), paint); },
        [&] { return svgOf(size(), m_title, paint); }, std::move(done));
}

void AreaChart::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    menu.addAction(
        tr("Copy picture"), this, [this] { QApplication::clipboard()->setPixmap(grab()); });
    menu.addAction(tr("Save picture…"), this, &AreaChart::pictureRequested);
    menu.exec(event->globalPos());
}

// ---- numbers ---------------------------------------------------------------------------------

bool AreaChart::isShown(const ChartArea& area) const
{
    return std::any_of(
        area.values.begin(), area.values.end(), [](double value) { return value > 0; });
}

double AreaChart::topOf(std::size_t point) const
{
    double top = 0;
    for (const ChartArea& area : m_content.areas)
        top += valueAt(area, point);
    return top;
}

double AreaChart::sumAt(std::size_t point) const
{
    double sum = 0;
    for (const ChartArea& area : m_content.areas)
        sum += area.faint ? 0 : valueAt(area, point);
    return sum;
}

std::size_t AreaChart::nearestPoint(double x) const
{
    const std::vector<double>& xs = m_content.xs;
    const auto nearest = std::min_element(xs.begin(), xs.end(),
        [x](double a, double b) { return std::abs(a - x) < std::abs(b - x); });
    return static_cast<std::size_t>(nearest - xs.begin());
}

QString AreaChart::headAt(std::size_t point) const
{
    // A point on the border of two bands belongs to the one that it was made for: bands and points
    // stand in one order, the same number of points for each.
    const std::size_t each =
        m_content.bands.empty() ? 1 : m_content.xs.size() / m_content.bands.size();
    const std::size_t band = each == 0 ? 0 : point / each;
    const QString text = band < m_content.bands.size() ? m_content.bands[band].text : QString();
    const QString title =
        point < m_content.pointTitles.size() ? m_content.pointTitles[point] : QString();
    return text.isEmpty() || title.isEmpty() ? text + title : tr("%1: %2").arg(text, title);
}

std::vector<AreaChart::Row> AreaChart::rowsAt(std::size_t point) const
{
    std::vector<Row> rows;
    for (auto area = m_content.areas.rbegin(); area != m_content.areas.rend(); ++area)
        if (isShown(*area))
            rows.push_back({ area->color, area->title, m_text(valueAt(*area, point)) });
    rows.push_back({ {}, tr("Sum"), m_text(sumAt(point)) });
    return rows;
}

QStringList AreaChart::valuesAt(double x) const
{
    if (isEmpty())
        return {};
    const std::size_t point = nearestPoint(x);
    QStringList lines { headAt(point) };
    for (const Row& row : rowsAt(point))
        lines.append(tr("%1: %2").arg(row.title, row.value));
    return lines;
}

QString AreaChart::words() const
{
    if (isEmpty())
        return m_emptyText;
    std::size_t point = 0;
    for (std::size_t i = 1; i < m_content.xs.size(); ++i)
        if (topOf(i) > topOf(point))
            point = i;
    QStringList parts = valuesAt(m_content.xs[m_hovered.value_or(point)]);
    if (m_explained) // what was asked for last comes first
        parts.prepend(m_content.areas[m_legend[*m_explained].area].meaning);
    return parts.join(QStringLiteral("; "));
}

// ---- layout ----------------------------------------------------------------------------------

QSize AreaChart::sizeHint() const
{
    return { 640, 300 };
}

QSize AreaChart::minimumSizeHint() const
{
    return { 320, 180 };
}

QFont AreaChart::smallFont() const
{
    QFont small = font();
    small.setPixelSize(std::max(9, QFontInfo(small).pixelSize() - 2));
    return small;
}

QColor AreaChart::muted(double share) const
{
    const QColor ink = palette().color(QPalette::Text);
    const QColor ground = palette().color(QPalette::Base);
    const auto mix = [share](int a, int b) {
        return static_cast<int>(std::lround(a * share + b * (1 - share)));
    };
    return QColor(mix(ink.red(), ground.red()), mix(ink.green(), ground.green()),
        mix(ink.blue(), ground.blue()));
}

void AreaChart::layOut()
{
    const QFontMetricsF small(smallFont());
    double highest = 0;
    for (std::size_t i = 0; i < m_content.xs.size(); ++i)
        highest = std::max(highest, topOf(i));
    const double top = kEdge + std::ceil(QFontMetricsF(font()).height()) + 4;
    const double plotTop = top + layOutLegend(top) + small.height() + 8;
    const double bottom = height() - kEdge;
    m_high = highest > 0 ? niceRange(0, highest).high : 1;
    m_ticks = niceTicks(0, m_high, std::max(2, static_cast<int>((bottom - plotTop) / 40)));
    double widest = 0;
    for (const double tick : m_ticks)
        widest = std::max(widest, small.horizontalAdvance(m_text(tick)));
    const double left = kEdge + std::ceil(widest) + 6;
    m_plot = QRectF(QPointF(left, plotTop),
        QPointF(std::max(left + 20, width() - 2 * kEdge), std::max(plotTop + 20, bottom)));
    m_description->refresh();
    update();
}

double AreaChart::layOutLegend(double top)
{
    const QFontMetricsF small(smallFont());
    const double rowHeight = std::ceil(small.height()) + 4;
    QPointF at(kEdge, top);
    m_legend.clear();
    for (std::size_t i = 0; i < m_content.areas.size(); ++i) {
        if (!isShown(m_content.areas[i]))
            continue;
        const double wide =
            kSwatch + 5 + std::ceil(small.horizontalAdvance(m_content.areas[i].title)) + 14;
        if (at.x() + wide > width() - kEdge && at.x() > kEdge)
            at = QPointF(kEdge, at.y() + rowHeight);
        m_legend.push_back({ i, QRectF(at, QSizeF(wide, rowHeight)) });
        at.rx() += wide;
    }
    return m_legend.empty() ? 0 : at.y() + rowHeight - top;
}

double AreaChart::pixelX(double x) const
{
    const double first = m_content.xs.front();
    const double span = std::max(m_content.xs.back() - first, 1e-9);
    return m_plot.left() + (x - first) / span * m_plot.width();
}

double AreaChart::pixelY(double y) const
{
    return m_plot.bottom() - y / m_high * m_plot.height();
}

// ---- painting --------------------------------------------------------------------------------

void AreaChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintAll(painter);
    if (!isEmpty())
        paintHover(painter);
    painter.setPen(QPen(palette().color(QPalette::Link), 2));
    painter.setBrush(Qt::NoBrush);
    if (hasFocus())
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    if (m_explained)
        painter.drawRoundedRect(m_legend[*m_explained].rect.adjusted(-3, 0, -11, 0), 3, 3);
}

void AreaChart::paintAll(QPainter& painter) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    paintTitle(painter);
    if (isEmpty()) {
        painter.setFont(font());
        painter.setPen(muted(0.65));
        painter.drawText(QRectF(rect()).adjusted(24, 24, -24, -24),
            Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
        return;
    }
    paintBands(painter);
    paintGrid(painter);
    paintAreas(painter);
    paintLegend(painter);
}

void AreaChart::paintTitle(QPainter& painter) const
{
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(bold);
    painter.setFont(bold);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRectF(kEdge, kEdge, width() - 2 * kEdge, metrics.height()),
        Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(m_title, Qt::ElideRight, width() - 2 * kEdge));
}

void AreaChart::paintBands(QPainter& painter) const
{
    const QFontMetricsF small(smallFont());
    const auto fits = [&](const ChartBand& band) {
        return small.horizontalAdvance(band.title) + 4 <= pixelX(band.to) - pixelX(band.from);
    };
    const bool whole = std::all_of(m_content.bands.begin(), m_content.bands.end(), fits);
    painter.setFont(smallFont());
    for (const ChartBand& band : m_content.bands) {
        const QRectF area(
            QPointF(pixelX(band.from), m_plot.top()), QPointF(pixelX(band.to), m_plot.bottom()));
        QColor ground = band.color;
        ground.setAlpha(32);
        painter.fillRect(area, ground);
        painter.fillRect(QRectF(area.left(), area.top() - 2, area.width() - 1, 2), band.color);
        const QString& title = whole ? band.title : band.letter;
        if (small.horizontalAdvance(title) + 2 > area.width())
            continue;
        painter.setPen(muted(0.8));
        painter.drawText(
            QRectF(area.left(), area.top() - 4 - small.height(), area.width(), small.height()),
            Qt::AlignCenter, title);
    }
}

void AreaChart::paintGrid(QPainter& painter) const
{
    const QFontMetricsF small(smallFont());
    painter.setFont(smallFont());
    for (const double tick : m_ticks) {
        const double y = std::round(pixelY(tick)) + 0.5;
        painter.setPen(QPen(muted(0.18), 1));
        painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
        painter.setPen(muted(0.72));
        painter.drawText(QRectF(0, y - small.height() / 2, m_plot.left() - 6, small.height()),
            Qt::AlignRight | Qt::AlignVCenter, m_text(tick));
    }
}

void AreaChart::paintAreas(QPainter& painter) const
{
    const std::size_t count = m_content.xs.size();
    std::vector<double> below(count, 0);
    for (const ChartArea& area : m_content.areas) {
        if (!isShown(area))
            continue;
        QPolygonF outline;
        for (std::size_t i = 0; i < count; ++i)
            outline.append({ pixelX(m_content.xs[i]), pixelY(below[i] + valueAt(area, i)) });
        const QPolygonF upper = outline;
        for (std::size_t i = count; i-- > 0;)
            outline.append({ pixelX(m_content.xs[i]), pixelY(below[i]) });
        for (std::size_t i = 0; i < count; ++i)
            below[i] += valueAt(area, i);
        QColor fill = area.color;
        fill.setAlpha(area.faint ? 70 : 255);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawPolygon(outline);
        painter.setPen(QPen(palette().color(QPalette::Base), 1)); // sets neighbours apart
        painter.drawPolyline(upper);
    }
}

void AreaChart::paintLegend(QPainter& painter) const
{
    painter.setFont(smallFont());
    for (const LegendEntry& entry : m_legend) {
        const ChartArea& area = m_content.areas[entry.area];
        QColor fill = area.color;
        fill.setAlpha(area.faint ? 90 : 255);
        painter.setPen(area.faint ? QPen(area.color, 1) : QPen(Qt::NoPen));
        painter.setBrush(fill);
        painter.drawRoundedRect(
            QRectF(entry.rect.left(), entry.rect.center().y() - kSwatch / 2, kSwatch, kSwatch), 2,
            2);
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(entry.rect.adjusted(kSwatch + 5, 0, 0, 0),
            Qt::AlignLeft | Qt::AlignVCenter, area.title);
    }
}

void AreaChart::paintHover(QPainter& painter) const
{
    if (!m_hovered)
        return;
    const double x = pixelX(m_content.xs[*m_hovered]);
    QColor line = palette().color(QPalette::Text);
    line.setAlpha(140);
    painter.setPen(QPen(line, 1));
    painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));
    paintBox(painter, x);
}

void AreaChart::paintBox(QPainter& painter, double lineX) const
{
    const std::vector<Row> rows = rowsAt(*m_hovered);
    const QString head = headAt(*m_hovered);
    QFont bold = font();
    bold.setBold(true);
    const QFontMetricsF metrics(font());
    double titles = 0;
    double values = 0;
    for (const Row& row : rows) {
        titles = std::max(titles, metrics.horizontalAdvance(row.title));
        values = std::max(values, metrics.horizontalAdvance(row.value));
    }
    const double inner =
        std::max(QFontMetricsF(bold).horizontalAdvance(head), kSwatch + 6 + titles + 16 + values);
    const double rowHeight = std::ceil(metrics.height()) + 2;
    const QSizeF size(
        inner + 2 * kBoxPad, rowHeight * static_cast<double>(rows.size() + 1) + 2 * kBoxPad);
    double left = lineX + 12;
    if (left + size.width() > width() - 4)
        left = std::max(4.0, lineX - 12 - size.width());
    const double top = std::max(4.0, std::min(m_plot.top(), height() - size.height() - 4));
    QColor ground = palette().color(QPalette::ToolTipBase);
    ground.setAlpha(245);
    painter.setPen(palette().color(QPalette::Mid));
    painter.setBrush(ground);
    painter.drawRoundedRect(QRectF(QPointF(left, top), size), 4, 4);
    QRectF place(left + kBoxPad, top + kBoxPad, inner, rowHeight);
    painter.setPen(palette().color(QPalette::ToolTipText));
    painter.setFont(bold);
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, head);
    painter.setFont(font());
    for (const Row& row : rows) {
        place.translate(0, rowHeight);
        if (row.color.isValid())
            painter.fillRect(
                QRectF(place.left(), place.center().y() - kSwatch / 2, kSwatch, kSwatch),
                row.color);
        painter.drawText(
            place.adjusted(kSwatch + 6, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, row.title);
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, row.value);
    }
}

// ---- events ----------------------------------------------------------------------------------

bool AreaChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (const LegendEntry& entry : m_legend)
        if (entry.rect.contains(help->pos())) {
            QToolTip::showText(help->globalPos(), m_content.areas[entry.area].meaning, this);
            return true;
        }
    QToolTip::hideText();
    event->ignore();
    return true;
}

void AreaChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::StyleChange)
        layOut();
}

void AreaChart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void AreaChart::mouseMoveEvent(QMouseEvent* event)
{
    std::optional<std::size_t> hovered;
    if (!isEmpty() && m_plot.contains(event->position())) {
        const double span = m_content.xs.back() - m_content.xs.front();
        hovered = nearestPoint(
            m_content.xs.front() + (event->position().x() - m_plot.left()) / m_plot.width() * span);
    }
    if (hovered == m_hovered)
        return;
    m_hovered = hovered;
    update();
}

void AreaChart::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    m_hovered.reset();
    update();
}

void AreaChart::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    if (isEmpty())
        return QWidget::keyPressEvent(event);
    if (key == Qt::Key_Left || key == Qt::Key_Right)
        m_hovered = stepped(m_hovered, m_content.xs.size(), key == Qt::Key_Left);
    else if (key == Qt::Key_Up || key == Qt::Key_Down)
        explain(key == Qt::Key_Up);
    else if (key == Qt::Key_Escape)
        forgetKeys();
    else
        return QWidget::keyPressEvent(event);
    m_description->refresh();
    update();
}

void AreaChart::explain(bool previous)
{
    if (m_legend.empty())
        return;
    m_explained = stepped(m_explained, m_legend.size(), previous);
    const LegendEntry& entry = m_legend[*m_explained];
    QToolTip::showText(
        mapToGlobal(entry.rect.bottomLeft().toPoint()), m_content.areas[entry.area].meaning, this);
}

void AreaChart::forgetKeys()
{
    m_hovered.reset();
    if (std::exchange(m_explained, std::nullopt))
        QToolTip::hideText();
}

} // namespace accrue
