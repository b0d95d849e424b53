// SPDX-License-Identifier: Apache-2.0
#include "ui/table/table_cells.h"

#include <QApplication>
#include <QPainter>

#include "ui/table/comparison_table_model.h"
#include "ui/widgets/run_delegates.h"
#include "ui/widgets/theme.h"

#include <algorithm>

namespace accrue {

namespace {

using Mark = ComparisonRow::Mark;
using Change = TableCell::Change;

constexpr int kPadding = 10; // pixels
constexpr int kGap = 8;

constexpr int kRounding = 2; // of widths of texts

QFont boldOf(QFont font)
{
    font.setBold(true);
    return font;
}

// Of all cells of a column alike, so that values and differences are below each other.
int roomForDifference(const QModelIndex& index, const QFont& font)
{
    const auto* const model = qobject_cast<const ComparisonTableModel*>(index.model());
    const QString longest = model != nullptr ? model->longestDifference(index.column()) : QString();
    return longest.isEmpty()
        ? 0
        : QFontMetrics(boldOf(font)).horizontalAdvance(longest) + kRounding + kGap;
}

} // namespace

void TableCells::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto mark = static_cast<Mark>(index.data(ComparisonTableModel::MarkRole).toInt());
    if (mark == Mark::Best)
        option->palette.setColor(QPalette::Text, themeColors().good);
    else if (mark == Mark::Worst)
        option->palette.setColor(QPalette::Text, themeColors().muted);
    // Best and worst must be visible in a selected cell, too.
    option->palette.setColor(QPalette::HighlightedText, option->palette.color(QPalette::Text));
}

void TableCells::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    paintGround(painter, item);
    painter->save();
    painter->setFont(item.font);
    painter->setPen(item.palette.color(QPalette::Text));
    const QRect room =
        option.rect.adjusted(kPadding, 0, -kPadding - roomForDifference(index, option.font), 0);
    painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter,
        QFontMetrics(item.font).elidedText(item.text, Qt::ElideRight, room.width()));
    paintDifference(*painter, option, index);
    if (index.data(ComparisonTableModel::SectionRole).toBool()) {
        const auto* const model = static_cast<const ComparisonTableModel*>(index.model());
        painter->setPen(themeColors().control);
        painter->drawLine(option.rect.topLeft(),
            model->isTransposed() ? option.rect.bottomLeft() : option.rect.topRight());
    }
    painter->restore();
    paintFocus(painter, option);
}

// Better and worse in the letters, too, as the best and the worst values are.
void TableCells::paintDifference(
    QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const QString text = index.data(ComparisonTableModel::DifferenceRole).toString();
    if (text.isEmpty())
        return;
    const auto change = static_cast<Change>(index.data(ComparisonTableModel::ChangeRole).toInt());
    QFont font = option.font;
    font.setItalic(change == Change::Worse);
    font.setWeight(change == Change::Better ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    painter.setPen(change == Change::Better ? themeColors().good
            : change == Change::Worse       ? themeColors().error
                                            : themeColors().muted);
    const int wide = roomForDifference(index, option.font) - kGap;
    const QRect room(
        option.rect.right() + 1 - kPadding - wide, option.rect.top(), wide, option.rect.height());
    painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter,
        QFontMetrics(font).elidedText(text, Qt::ElideRight, wide));
}

QSize TableCells::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return { QFontMetrics(boldOf(option.font)).horizontalAdvance(index.data().toString())
            + kRounding + 2 * kPadding + roomForDifference(index, option.font),
        option.fontMetrics.height() + 8 };
}

} // namespace accrue
