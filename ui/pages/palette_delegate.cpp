// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/palette_delegate.h"

#include "ui/pages/palette_model.h"
#include "ui/pages/theme.h"

#include <QPainter>

#include <algorithm>

namespace accrue {

namespace {

constexpr int kRowHeight = 32;
constexpr int kEdge = 12;
constexpr int kIcon = 16;
constexpr int kGap = 12;

void drawText(QPainter* painter, const QRect& room, Qt::Alignment side, const QString& text)
{
    painter->drawText(room, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextSingleLine,
        painter->fontMetrics().elidedText(text, Qt::ElideRight, room.width()));
}

} // namespace

void PaletteDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const ThemeColors& colors = themeColors();
    const auto* model = static_cast<const PaletteModel*>(index.model());
    const bool enabled = model->entry(index.row()).enabled;
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(option.rect, colors.selection);
    QRect room = option.rect.adjusted(kEdge, 0, -kEdge, 0);
    const QRect icon(room.left(), room.center().y() - kIcon / 2 + 1, kIcon, kIcon);
    index.data(Qt::DecorationRole)
        .value<QIcon>()
        .paint(painter, icon, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
    room.setLeft(icon.right() + kGap);

    painter->setFont(option.font);
    painter->setPen(colors.muted);
    const QString keys = index.data(PaletteModel::KeysRole).toString();
    drawText(painter, room, Qt::AlignRight, keys);
    if (!keys.isEmpty())
        room.setRight(room.right() - option.fontMetrics.horizontalAdvance(keys) - kGap);

    const QString text = index.data().toString();
    painter->setPen(enabled ? colors.text : colors.muted);
    drawText(painter, room, Qt::AlignLeft, text);
    room.setLeft(room.left() + option.fontMetrics.horizontalAdvance(text) + kGap);
    painter->setPen(colors.muted);
    if (room.width() > 2 * kGap)
        drawText(painter, room, Qt::AlignLeft, index.data(PaletteModel::DetailRole).toString());
    painter->restore();
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return { 0, kRowHeight };
}

} // namespace accrue
