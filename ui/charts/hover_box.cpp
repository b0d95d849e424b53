// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/hover_box.h"

#include "ui/charts/plot_look.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

// The box is painted over a stored picture of the chart with each move of the mouse, not by a
// second widget (see "One frame under all charts" in docs/decisions.md). It may be anywhere inside
// the chart, and only there.

namespace accrue {

namespace {

constexpr std::size_t kMostRows = 12;
constexpr double kWidest = 520; // pixels of the box's text
constexpr double kWidestShare = 0.62; // of the chart
constexpr double kAlways = 270; // pixels that it may have in a narrow chart, too
constexpr double kGap = 16; // between columns; half of it at the sides
constexpr double kPad = 6; // above and below the rows

struct Columns {
    double sign = 0; // with the gap behind it
    double title = 0;
    double inner = 0; // of all columns and their gaps
};

// As many as fit into the chart, with the head and a note.
std::size_t mostRows(double chartHeight, double rowHeight)
{
    const double room = (chartHeight - 2 * kPad - kGap) / rowHeight - 2;
    return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(room, 0.0)), 3, kMostRows);
}

// Retains the rows nearest to the mouse, in the order of their points.
void leaveOutFarRows(HoverBox& box, std::size_t most, double mouseY)
{
    const std::size_t all = box.rows.size();
    if (all <= most)
        return;
    std::stable_sort(
        box.rows.begin(), box.rows.end(), [mouseY](const HoverRow& a, const HoverRow& b) {
            return std::abs(a.y - mouseY) < std::abs(b.y - mouseY);
        });
    box.rows.resize(most);
    std::stable_sort(box.rows.begin(), box.rows.end(),
        [](const HoverRow& a, const HoverRow& b) { return a.y < b.y; });
    // The number of rows that are not shown precedes the texts of markers.
    box.notes.prepend(QCoreApplication::translate("HoverBox", "%1 more").arg(all - most));
}

Columns columnsOf(const HoverBox& box, const QFontMetricsF& metrics, double chartWidth)
{
    const double widest = std::clamp(chartWidth * kWidestShare, kAlways, kWidest);
    Columns columns;
    double values = 0;
    for (const HoverRow& row : box.rows) {
        columns.sign = std::max(columns.sign, row.sign.width + kGap / 2);
        columns.title = std::max(columns.title, metrics.horizontalAdvance(row.title));
        values = std::max(values, metrics.horizontalAdvance(row.value));
    }
    // Titles are elided, values never: the legend has the name, too, but only this box has the
    // number.
    columns.title =
        std::min(columns.title, std::max(40.0, widest - values - columns.sign - 1.5 * kGap));
    // By a factor, because the metrics are those of the normal font.
    columns.inner = std::max(metrics.horizontalAdvance(box.head) * 1.1, // the head is bold
        columns.sign + columns.title + kGap + values);
    for (const QString& text : box.notes)
        columns.inner = std::max(columns.inner, std::min(metrics.horizontalAdvance(text), widest));
    return columns;
}

QRectF placeOf(const HoverBox& box, const QSizeF& size, const QSizeF& chart, double mouseY)
{
    double left = box.x + 12;
    if (left + size.width() > chart.width() - 4)
        left = std::max(4.0, box.x - 12 - size.width());
    // In a chart that is lower than the box, its head is visible.
    const double lowest = std::max(4.0, chart.height() - size.height() - 4);
    const double top = box.top.value_or(mouseY - size.height() / 2);
    return QRectF(QPointF(left, std::clamp(top, 4.0, lowest)), size);
}

} // namespace

void paintHoverBox(
    QPainter& painter, const PlotLook& look, const QSizeF& chart, HoverBox box, double mouseY)
{
    const QFontMetricsF metrics(look.font);
    const double rowHeight = std::ceil(metrics.height()) + 2;
    leaveOutFarRows(box, mostRows(chart.height(), rowHeight), mouseY);
    const Columns columns = columnsOf(box, metrics, chart.width());
    const auto lines =
        static_cast<double>(1 + box.rows.size()) + static_cast<double>(box.notes.size());
    const QRectF frame =
        placeOf(box, { columns.inner + kGap, rowHeight * lines + 2 * kPad }, chart, mouseY);
    painter.setPen(look.color(QPalette::Mid));
    painter.setBrush(withAlpha(look.color(QPalette::ToolTipBase), 245));
    painter.drawRoundedRect(frame, 4, 4);
    QRectF line(frame.left() + kGap / 2, frame.top() + kPad, columns.inner, rowHeight);
    const auto write = [&](const QRectF& place, Qt::Alignment side, const QString& text) {
        painter.setPen(look.color(QPalette::ToolTipText));
        painter.drawText(place, static_cast<int>(side | Qt::AlignVCenter), text);
    };
    QFont bold = look.font;
    bold.setBold(true);
    painter.setFont(bold);
    write(line, Qt::AlignLeft, box.head);
    painter.setFont(look.font);
    for (const HoverRow& row : box.rows) {
        line.translate(0, rowHeight);
        if (row.sign.paint)
            row.sign.paint(painter, { line.left() + row.sign.width / 2, line.center().y() });
        write(line.adjusted(columns.sign, 0, 0, 0), Qt::AlignLeft,
            metrics.elidedText(row.title, Qt::ElideMiddle, columns.title));
        write(line, Qt::AlignRight, row.value);
    }
    for (const QString& text : box.notes) {
        line.translate(0, rowHeight);
        write(line, Qt::AlignLeft, metrics.elidedText(text, Qt::ElideRight, columns.inner));
    }
}

} // namespace accrue
