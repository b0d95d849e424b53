// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/bar_chart.h"

#include "ui/charts/live_description.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

// No PlotFrame: a list of bars in a scroll area has no axes, no legend and no picture (see "One
// frame under all charts" in docs/decisions.md).

namespace accrue {

namespace {

constexpr double kGap = 8;
constexpr double kWidestTitle = 0.4; // of the chart
constexpr double kBarHeight = 12;

} // namespace

BarChart::BarChart(QWidget* parent)
    : QWidget(parent)
    , m_description(new LiveDescription(this, [this] { return words(); }))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void BarChart::setBars(std::vector<Bar> bars)
{
    // The same bars arrive with every step of a live run.
    if (bars == m_bars)
        return;
    m_bars = std::move(bars);
    m_description->refresh();
    updateGeometry();
    update();
}

void BarChart::setEmptyText(const QString& text)
{
    m_emptyText = text;
    m_description->refresh();
    update();
}

QString BarChart::words() const
{
    QStringList words;
    for (const Bar& bar : m_bars)
        words.append(tr("%1: %2").arg(bar.title, bar.text));
    return m_bars.empty() ? m_emptyText : words.join(tr("; "));
}

double BarChart::rowHeight() const
{
    return std::ceil(QFontMetricsF(font()).height()) + kGap;
}

QSize BarChart::sizeHint() const
{
    // As high as three bars at least, so that the text of an empty chart has room.
    return { 320,
        static_cast<int>(
            rowHeight() * static_cast<double>(std::max<std::size_t>(m_bars.size(), 3))) };
}

QString BarChart::toolTipAt(double y) const
{
    const auto row = static_cast<std::size_t>(std::max(0.0, y) / rowHeight());
    if (row >= m_bars.size())
        return {};
    const Bar& bar = m_bars[row];
    const QString text = tr("%1: %2").arg(bar.title, bar.text);
    return bar.meaning.isEmpty() ? text : text + QLatin1Char('\n') + bar.meaning;
}

bool BarChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), toolTipAt(help->pos().y()), this);
    return true;
}

void BarChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_bars.empty()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
        return;
    }
    const QFontMetricsF metrics(font());
    double titles = 0;
    double texts = 0;
    double highest = 0;
    for (const Bar& bar : m_bars) {
        titles = std::max(titles, metrics.horizontalAdvance(bar.title));
        // A bar and its text share the width: the longest text decides how long bars may be.
        texts = std::max(texts, metrics.horizontalAdvance(bar.text));
        highest = std::max(highest, bar.value);
    }
    // Titles and texts are columns of one width each, so that all bars begin at one place and the
    // longest leaves space for its text. A long name of a layer must not use the bars' space.
    titles = std::min(std::ceil(titles), width() * kWidestTitle);
    const double most = std::max(20.0, width() - titles - std::ceil(texts) - 2 * kGap);
    QRectF row(0, 0, width(), rowHeight());
    for (const Bar& bar : m_bars) {
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRectF(row.left(), row.top(), titles, row.height()),
            Qt::AlignRight | Qt::AlignVCenter,
            metrics.elidedText(bar.title, Qt::ElideMiddle, titles));
        // A bar of a thousandth of the longest must be visible: at least one pixel.
        const double length = highest > 0 ? std::max(1.0, bar.value / highest * most) : 0;
        const QRectF place(titles + kGap, row.center().y() - kBarHeight / 2, length, kBarHeight);
        painter.setPen(Qt::NoPen);
        painter.setBrush(bar.color);
        painter.drawRoundedRect(place, 2, 2);
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRectF(place.right() + kGap, row.top(), texts + 2, row.height()),
            Qt::AlignLeft | Qt::AlignVCenter, bar.text);
        row.translate(0, row.height());
    }
}

} // namespace accrue
