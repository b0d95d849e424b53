// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/plot_legend.h"

#include "ui/charts/plot_look.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace accrue {

namespace {

constexpr double kBehindSign = 5; // pixels
constexpr double kBehindTitle = 14;
constexpr double kMostShare = 0.22; // of the chart's height
constexpr double kMoreWidth = 60; // pixels that "+ 12 more" takes
constexpr double kOverhang = 40; // pixels that a text may need beyond its measured width

} // namespace

double PlotLegend::layOut(
    std::vector<LegendEntry> entries, const PlotLook& look, const QSizeF& chart, double top)
{
    m_entries.clear();
    if (entries.empty())
        return 4;
    const QFontMetricsF small(look.small);
    const double rowHeight = std::ceil(small.height()) + 2;
    const double right = chart.width() - kPlotEdge;
    const double mostHeight = std::max(rowHeight, chart.height() * kMostShare);
    QPointF at(kPlotEdge, top);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        LegendEntry& entry = entries[i];
        // In the middle: titles of runs differ at their ends.
        entry.title = small.elidedText(
            entry.title, Qt::ElideMiddle, right - kPlotEdge - entry.sign.width - 24);
        const double wide =
            entry.sign.width + kBehindSign + small.horizontalAdvance(entry.title) + kBehindTitle;
        if (at.x() + wide > right && at.x() > kPlotEdge)
            at = QPointF(kPlotEdge, at.y() + rowHeight);
        // Whether an entry fits is decided with the room that “+ n more” would need behind it,
        // unless it is the last.
        const bool lastRow = at.y() + 2 * rowHeight > top + mostHeight;
        // An entry with a meaning is never left out: the keyboard must reach it.
        const bool full = lastRow && at.x() + wide + kMoreWidth > right && i + 1 < entries.size()
            && entry.meaning.isEmpty();
        if (full)
            entry = { tr("+ %1 more").arg(entries.size() - i), {} };
        m_entries.push_back({ std::move(entry), QRectF(at, QSizeF(wide, rowHeight)) });
        if (full)
            break;
        at.rx() += wide;
    }
    return at.y() + rowHeight - top + 6;
}

void PlotLegend::paint(QPainter& painter, const PlotLook& look, const QRectF& exposed) const
{
    painter.setFont(look.small);
    for (const auto& [entry, rect] : m_entries) {
        const PlotSign& sign = entry.sign;
        if (!rect.adjusted(0, 0, kOverhang, 0).intersects(exposed))
            continue;
        if (sign.paint)
            sign.paint(painter, { rect.left() + sign.width / 2, rect.center().y() });
        painter.setPen(look.color(QPalette::Text));
        painter.drawText(rect.adjusted(sign.paint ? sign.width + kBehindSign : 0, 0, kOverhang, 0),
            Qt::AlignLeft | Qt::AlignVCenter, entry.title);
    }
}

} // namespace accrue
