// SPDX-License-Identifier: Apache-2.0
#include "ui/relations/interval_chart.h"

#include "ui/charts/curve_look.h"
#include "ui/charts/live_description.h"
#include "ui/charts/plot_look.h"
#include "ui/widgets/theme.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace accrue {

namespace {

constexpr double kGap = 10; // between the columns
constexpr double kRowGap = 8; // above and below the words of a row, together
constexpr double kPanelGap = 18;
constexpr double kWidestTitle = 0.26; // of the chart
constexpr double kWidestWords = 0.42;
constexpr double kBar = 12; // pixels high
constexpr double kCap = 4; // half of the stroke at the end of an interval
constexpr double kTickWidth = 70;

QStringList wordsOf(const IntervalRow& row)
{
    QStringList words { row.text, row.detail, row.warning };
    words.removeAll(QString());
    return words;
}

QFont boldOf(const PlotLook& look)
{
    QFont bold = look.font;
    bold.setWeight(QFont::DemiBold);
    return bold;
}

// The values of all rows, with a margin; bars begin at 0.
void fitAxis(IntervalPanel& panel)
{
    PlotAxis& axis = panel.axis;
    if (axis.low < axis.high)
        return;
    axis.low = panel.hasBars ? 0 : std::numeric_limits<double>::infinity();
    axis.high = panel.hasBars ? 0 : -std::numeric_limits<double>::infinity();
    for (const IntervalRow& row : panel.rows)
        for (const double value : { row.value, row.low, row.high })
            if (std::isfinite(value)) {
                axis.low = std::min(axis.low, value);
                axis.high = std::max(axis.high, value);
            }
    if (!std::isfinite(axis.low))
        axis.low = axis.high = 0;
    const double margin = axis.high > axis.low ? (axis.high - axis.low) * 0.05
                                               : std::max(1e-9, std::abs(axis.high) * 0.05);
    axis.low -= panel.hasBars ? 0 : margin;
    axis.high += margin;
}

void paintInterval(QPainter& painter, double low, double high, double y)
{
    painter.drawLine(QPointF(low, y), QPointF(high, y));
    for (const double end : { low, high })
        painter.drawLine(QPointF(end, y - kCap), QPointF(end, y + kCap));
}

} // namespace

IntervalChart::IntervalChart(QWidget* parent)
    : PicturedChart(parent)
    , m_description(new LiveDescription(this, [this] { return description(); }))
{
    setAttribute(Qt::WA_OpaquePaintEvent); // nothing below is painted for it
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void IntervalChart::setPanels(std::vector<IntervalPanel> panels)
{
    m_panels = std::move(panels);
    for (IntervalPanel& panel : m_panels)
        fitAxis(panel);
    if (m_chosen && (m_panels.empty() || *m_chosen >= m_panels.front().rows.size()))
        m_chosen.reset();
    contentChanged();
}

void IntervalChart::setEmptyText(const QString& text)
{
    m_emptyText = text;
    contentChanged();
}

void IntervalChart::setChosen(std::optional<std::size_t> row)
{
    if (std::exchange(m_chosen, row) == row)
        return;
    m_description->refresh();
    update();
}

void IntervalChart::choose(std::size_t row)
{
    setChosen(row);
    Q_EMIT rowChosen(row);
}

QRectF IntervalChart::rowRect(std::size_t panel, std::size_t row) const
{
    return m_placed.at(panel).rows.at(row);
}

const IntervalRow* IntervalChart::rowAt(const QPointF& pixel) const
{
    for (std::size_t panel = 0; panel < m_panels.size(); ++panel)
        for (std::size_t row = 0; row < m_panels[panel].rows.size(); ++row)
            if (m_placed[panel].rows[row].contains(pixel))
                return &m_panels[panel].rows[row];
    return nullptr;
}

// ---- layout ----------------------------------------------------------------------------------

QSize IntervalChart::sizeHint() const
{
    return { 640, m_height };
}

void IntervalChart::contentChanged()
{
    const int before = m_height;
    layOut();
    if (m_height != before)
        updateGeometry();
    m_description->refresh();
    update();
}

void IntervalChart::layOut()
{
    const PlotLook look(*this);
    const QFontMetricsF metrics(look.font);
    const double line = std::ceil(look.smallHeight());
    m_titleWidth = 0;
    double words = 0;
    for (const IntervalPanel& panel : m_panels)
        for (const IntervalRow& row : panel.rows) {
            m_titleWidth = std::max(m_titleWidth, metrics.horizontalAdvance(row.title) + 1);
            for (const QString& each : wordsOf(row))
                words = std::max(words, metrics.horizontalAdvance(each) + 1);
        }
    m_titleWidth = std::min(m_titleWidth, width() * kWidestTitle);
    m_wordsLeft = width() - kPlotEdge - std::min(words, width() * kWidestWords);
    double top = kPlotEdge;
    m_placed.clear();
    for (IntervalPanel& panel : m_panels) {
        Placed& placed = m_placed.emplace_back();
        placed.title = QFontMetricsF(boldOf(look))
                           .boundingRect(QRectF(kPlotEdge, top, width() - 2 * kPlotEdge, 1000),
                               Qt::TextWordWrap, panel.title);
        top += std::ceil(placed.title.height()) + 6;
        for (const IntervalRow& row : panel.rows) {
            const double height = std::ceil(metrics.height()) + kRowGap
                + line * static_cast<double>(std::max<qsizetype>(wordsOf(row).size(), 1) - 1);
            placed.rows.emplace_back(0, top, width(), height);
            top += height;
        }
        panel.axis.first = kPlotEdge + m_titleWidth + kGap;
        panel.axis.last = std::max(panel.axis.first + 20, m_wordsLeft - kGap - 8);
        placed.ticks = top + 4;
        top += line + kPanelGap;
    }
    m_height = static_cast<int>(std::ceil(top));
}

void IntervalChart::resizeEvent(QResizeEvent* event)
{
    PicturedChart::resizeEvent(event);
    contentChanged();
}

// ---- painting --------------------------------------------------------------------------------

void IntervalChart::paintPicture(QPainter& painter, Plot::Medium)
{
    const PlotLook look(*this);
    painter.fillRect(rect(), look.color(QPalette::Base));
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_panels.empty()) {
        painter.setFont(look.font);
        painter.setPen(look.muted(0.65));
        painter.drawText(QRectF(rect()).adjusted(24, 0, -24, 0), Qt::AlignCenter | Qt::TextWordWrap,
            m_emptyText);
    }
    for (std::size_t panel = 0; panel < m_panels.size(); ++panel)
        paintPanel(painter, look, panel);
}

void IntervalChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintPicture(painter, Plot::Medium::Raster);
    if (!hasFocus())
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(palette().color(QPalette::Link), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

void IntervalChart::paintPanel(QPainter& painter, const PlotLook& look, std::size_t panel) const
{
    const IntervalPanel& shown = m_panels[panel];
    const Placed& placed = m_placed[panel];
    painter.setFont(boldOf(look));
    painter.setPen(look.color(QPalette::Text));
    painter.drawText(placed.title, Qt::AlignLeft | Qt::TextWordWrap, shown.title);
    if (shown.rows.empty()) {
        painter.setFont(look.font);
        painter.setPen(look.muted(0.72));
        painter.drawText(QRectF(kPlotEdge, placed.ticks, width() - 2 * kPlotEdge, kPanelGap),
            Qt::AlignLeft | Qt::AlignVCenter, shown.emptyText);
        return;
    }
    if (panel == 0 && m_chosen)
        painter.fillRect(placed.rows[*m_chosen].adjusted(2, 0, -2, 0),
            withAlpha(look.color(QPalette::Highlight), 40));
    paintTicks(painter, look, panel);
    for (std::size_t row = 0; row < shown.rows.size(); ++row)
        paintRow(painter, look, shown, row);
}

void IntervalChart::paintTicks(QPainter& painter, const PlotLook& look, std::size_t panel) const
{
    const PlotAxis& axis = m_panels[panel].axis;
    const Placed& placed = m_placed[panel];
    const QFontMetricsF small(look.small);
    const double top = placed.rows.front().top();
    const double bottom = placed.rows.back().bottom();
    painter.setFont(look.small);
    for (const double tick :
        axis.ticksFor(std::max(2, static_cast<int>((axis.last - axis.first) / kTickWidth)))) {
        const double x = std::round(axis.pixel(tick)) + 0.5;
        painter.setPen(look.muted(0.14));
        painter.drawLine(QPointF(x, top), QPointF(x, bottom));
        painter.setPen(look.muted(0.72));
        painter.drawText(QRectF(x - kTickWidth / 2, placed.ticks, kTickWidth, small.height()),
            Qt::AlignCenter, axis.textAt(tick));
    }
    painter.setPen(look.muted(0.5));
    painter.drawLine(QPointF(axis.first, bottom), QPointF(axis.last, bottom));
}

void IntervalChart::paintRow(
    QPainter& painter, const PlotLook& look, const IntervalPanel& panel, std::size_t row) const
{
    const IntervalRow& shown = panel.rows[row];
    const QRectF place = m_placed[static_cast<std::size_t>(&panel - m_panels.data())].rows[row];
    const QFontMetricsF metrics(look.font);
    painter.setFont(look.font);
    painter.setPen(look.color(QPalette::Text));
    painter.drawText(QRectF(kPlotEdge, place.top(), m_titleWidth, place.height()),
        Qt::AlignRight | Qt::AlignVCenter,
        metrics.elidedText(shown.title, Qt::ElideMiddle, m_titleWidth));
    paintWords(painter, look, shown, place);
    if (!std::isfinite(shown.value))
        return;
    const double y = std::round(place.center().y());
    const double x = panel.axis.pixelOf(shown.value);
    if (panel.hasBars) {
        // A share of nothing is a stroke, too.
        const double length = std::max(1.5, x - panel.axis.first);
        painter.fillRect(QRectF(panel.axis.first, y - kBar / 2, length, kBar), shown.color);
    }
    // On a ground of its own, so that it is seen on the bar, too.
    for (const QPen& pen : { QPen(look.color(QPalette::Base), 4, Qt::SolidLine, Qt::FlatCap),
             QPen(look.muted(0.85), 1.5) }) {
        painter.setPen(pen);
        if (std::isfinite(shown.low) && std::isfinite(shown.high))
            paintInterval(
                painter, panel.axis.pixelOf(shown.low), panel.axis.pixelOf(shown.high), y);
    }
    if (shown.mark)
        painter.drawEllipse(QPointF(panel.axis.pixelOf(*shown.mark), y), 2.5, 2.5);
    if (!panel.hasBars)
        paintDot(painter, { x, y }, shown.color, Qt::SolidLine);
}

void IntervalChart::paintWords(
    QPainter& painter, const PlotLook& look, const IntervalRow& row, const QRectF& place) const
{
    const double wide = width() - kPlotEdge - m_wordsLeft;
    const QStringList words = wordsOf(row);
    const double first = std::ceil(QFontMetricsF(look.font).height());
    const double line = std::ceil(look.smallHeight());
    double top = place.center().y() - (first + line * static_cast<double>(words.size() - 1)) / 2;
    for (const QString& text : words) {
        const bool isFirst = text == row.text;
        painter.setFont(isFirst ? look.font : look.small);
        painter.setPen(text == row.warning ? themeColors().warning
                : isFirst                  ? look.color(QPalette::Text)
                                           : look.muted(0.72));
        const double height = isFirst ? first : line;
        painter.drawText(QRectF(m_wordsLeft, top, wide, height), Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, wide));
        top += height;
    }
}

// ---- events ----------------------------------------------------------------------------------

bool IntervalChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return PicturedChart::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const IntervalRow* const row = rowAt(help->pos());
    QToolTip::showText(help->globalPos(),
        row != nullptr ? (QStringList(row->title) + wordsOf(*row)).join(QLatin1Char('\n'))
                       : QString(),
        this);
    return true;
}

void IntervalChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_panels.empty())
        return;
    for (std::size_t row = 0; row < m_panels.front().rows.size(); ++row)
        if (m_placed.front().rows[row].contains(event->position()))
            return choose(row);
}

void IntervalChart::keyPressEvent(QKeyEvent* event)
{
    const std::size_t rows = m_panels.empty() ? 0 : m_panels.front().rows.size();
    const bool isUp = event->key() == Qt::Key_Up;
    if (rows == 0 || (!isUp && event->key() != Qt::Key_Down))
        return PicturedChart::keyPressEvent(event);
    if (!m_chosen)
        return choose(isUp ? rows - 1 : 0);
    if (isUp ? *m_chosen > 0 : *m_chosen + 1 < rows)
        choose(isUp ? *m_chosen - 1 : *m_chosen + 1);
}

QString IntervalChart::description() const
{
    if (m_panels.empty())
        return m_emptyText;
    QStringList words;
    const auto describe = [&words](const IntervalRow& row) {
        words.append(tr("%1: %2").arg(row.title, wordsOf(row).join(tr(", "))));
    };
    if (m_chosen) // the last request comes first
        describe(m_panels.front().rows[*m_chosen]);
    for (const IntervalPanel& panel : m_panels) {
        words.append(panel.rows.empty() ? panel.emptyText : panel.title);
        for (const IntervalRow& row : panel.rows)
            describe(row);
    }
    words.removeAll(QString());
    return words.join(tr("; "));
}

} // namespace accrue
