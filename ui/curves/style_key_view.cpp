// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/style_key_view.h"

#include "ui/charts/curve_look.h"
#include "ui/charts/plot_look.h"

#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>

#include <cmath>

namespace accrue {

namespace {

constexpr double kSignWidth = 22; // pixels, as in the list of runs
constexpr double kThickness = 2.5;
constexpr double kMostHeight = 600; // a legend takes a share of this

} // namespace

LegendEntry lineEntry(const QString& title, const QColor& color, Qt::PenStyle line)
{
    const auto paint = [color, line](QPainter& painter, const QPointF& middle) {
        const QPointF half(kSignWidth / 2, 0);
        painter.setPen(penOf(color, line, kThickness));
        painter.drawLine(middle - half, middle + half);
    };
    return { title, { kSignWidth, paint } };
}

std::vector<LegendEntry> legendOf(const StyleKey& key, const QFont& font)
{
    std::vector<LegendEntry> entries;
    if (key.scale)
        entries.push_back({ key.scale->title, signOf(*key.scale, QFontMetricsF(font)) });
    for (const ScatterEntry& entry : key.entries())
        entries.push_back(lineEntry(entry.title, entry.color, entry.line));
    return entries;
}

StyleKeyView::StyleKeyView(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Colours and lines"));
    hide();
}

void StyleKeyView::setKey(const StyleKey& key)
{
    m_key = key;
    QStringList titles;
    if (key.scale)
        titles.append(tr("%1: %2 to %3").arg(key.scale->title, key.scale->low, key.scale->high));
    for (const ScatterEntry& entry : key.entries())
        titles.append(entry.title);
    setAccessibleDescription(titles.join(tr("; ")));
    setToolTip(titles.join(QLatin1Char('\n')));
    layOut();
    setVisible(!key.isEmpty());
    update();
}

void StyleKeyView::layOut()
{
    const PlotLook look(*this);
    const double height =
        m_legend.layOut(legendOf(m_key, look.small), look, { double(width()), kMostHeight }, 0);
    setFixedHeight(static_cast<int>(std::ceil(height)));
}

void StyleKeyView::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    m_legend.paint(painter, PlotLook(*this), event->rect());
}

void StyleKeyView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void StyleKeyView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        layOut();
}

} // namespace accrue
