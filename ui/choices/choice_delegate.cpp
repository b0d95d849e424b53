// SPDX-License-Identifier: Apache-2.0
#include "ui/choices/choice_delegate.h"

#include "ui/choices/choice_model.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

#include <QFontInfo>
#include <QPainter>

namespace accrue {

namespace {

constexpr int kSide = 8; // pixels
constexpr int kMark = 14;
constexpr int kAround = 5; // above and below a choice
constexpr int kAboveHeading = 10;

QFont fontOf(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    QFont font = option.font;
    if (index.data(ChoiceModel::HeadingRole).toBool()) {
        font.setPixelSize(QFontInfo(font).pixelSize() - 1);
        font.setWeight(QFont::DemiBold);
    }
    return font;
}

// Elided in the middle: names of metrics begin alike and end alike.
int write(QPainter& painter, const QRect& room, Qt::Alignment side, const QString& text)
{
    const QString shown = painter.fontMetrics().elidedText(text, Qt::ElideMiddle, room.width());
    painter.drawText(room, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextSingleLine, shown);
    return painter.fontMetrics().horizontalAdvance(shown);
}

} // namespace

void ChoiceDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const ThemeColors& colors = themeColors();
    const bool isHeading = index.data(ChoiceModel::HeadingRole).toBool();
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(option.rect, colors.selection);
    else if (option.state.testFlag(QStyle::State_MouseOver) && index.flags() != Qt::NoItemFlags)
        painter->fillRect(option.rect, colors.hover);
    painter->setFont(fontOf(option, index));
    painter->setPen(index.flags() == Qt::NoItemFlags ? colors.muted : colors.text);
    QRect room = option.rect.adjusted(kSide, 0, -kSide, 0);
    if (isHeading) {
        room.setTop(room.top() + kAboveHeading - kAround);
        write(*painter, room, Qt::AlignLeft, index.data().toString());
        return painter->restore();
    }
    if (index.data(ChoiceModel::MarkedRole).toBool())
        painter->drawPixmap(room.left(), room.center().y() - kMark / 2 + 1,
            iconPixmap(QLatin1String("check"), colors.accent, kMark,
                painter->device()->devicePixelRatioF()));
    room.setLeft(room.left() + kMark + kSide);
    room.setLeft(
        room.left() + write(*painter, room, Qt::AlignLeft, index.data().toString()) + 2 * kSide);
    painter->setPen(colors.muted);
    if (room.width() > 4 * kSide)
        write(*painter, room, Qt::AlignRight, index.data(ChoiceModel::DetailRole).toString());
    painter->restore();
}

QSize ChoiceDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const bool isHeading = index.data(ChoiceModel::HeadingRole).toBool();
    const int height = QFontMetrics(fontOf(option, index)).height();
    return { 1, height + kAround + (isHeading ? kAboveHeading : kAround) };
}

} // namespace accrue
