// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/run_delegates.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>

#include "engine/runs/run_record.h"
#include "ui/charts/curve_look.h"
#include "ui/models/run_palette.h"
#include "ui/models/run_table_model.h"
#include "ui/models/run_words.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

#include <algorithm>

namespace accrue {

namespace {

constexpr int kVariantGap = 14;
constexpr int kLeastVariant = 32; // pixels; fewer show nothing useful
constexpr int kDot = 14;
constexpr int kIndent = 16; // of a name, for each level below a group
constexpr int kPin = 14; // of the baseline
constexpr int kPinGap = 6;
constexpr int kFold = 12; // the sign that a group is folded
constexpr int kChipTint = 36; // of 255
constexpr int kChipRoom = 24; // pixels in a cell beside the text of a chip

QColor stateColor(const QModelIndex& index)
{
    const ThemeColors& colors = themeColors();
    const auto state = static_cast<RunState>(index.data(RunTableModel::StateRole).toInt());
    if (state == RunState::Running)
        return colors.accent;
    if (state == RunState::Paused || state == RunState::Interrupted)
        return colors.warning;
    const auto outcome = static_cast<RunOutcome>(index.data(RunTableModel::OutcomeRole).toInt());
    if (state != RunState::Finished || outcome == RunOutcome::Stopped)
        return colors.muted;
    return outcome == RunOutcome::Completed ? colors.good : colors.error;
}

// The colour that a translucent tint would have over the table's background.
QColor chipGround(const QColor& color)
{
    const QColor& base = themeColors().base;
    const auto mix = [](int ink, int ground) { return ground + (ink - ground) * kChipTint / 255; };
    return QColor(mix(color.red(), base.red()), mix(color.green(), base.green()),
        mix(color.blue(), base.blue()));
}

} // namespace

// Only what the style paints behind an item: selection, hover and background. Text and icon are
// removed and painted by hand over that.
void paintGround(QPainter* painter, QStyleOptionViewItem option)
{
    option.text.clear();
    option.icon = {};
    option.features &= ~QStyleOptionViewItem::HasDecoration;
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
}

// The keyboard focus: the current cell of a view that has the focus.
void paintFocus(QPainter* painter, const QStyleOptionViewItem& option)
{
    if (!(option.state & QStyle::State_HasFocus))
        return;
    painter->save();
    painter->setPen(themeColors().accent);
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
    painter->restore();
}

void paintChip(QPainter& painter, const QRectF& place, const QColor& color, const QString& text)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(chipGround(color)); // opaque: the same in a selected row
    painter.drawRoundedRect(place, place.height() / 2, place.height() / 2);
    painter.setPen(color);
    painter.drawText(place, Qt::AlignCenter, text);
}

QPixmap runDot(const QColor& color, Qt::PenStyle line, int size, qreal ratio)
{
    QPixmap picture(QSize(size, size) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    const double middle = size / 2.0;
    painter.fillPath(markOf(line, { middle, middle }, middle - 2.2), color);
    return picture;
}

// ---- name ------------------------------------------------------------------------------------

void RunCellDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->state &= ~QStyle::State_HasFocus;
    // In both roles: the text of a selected row has another one.
    if (index.data(RunTableModel::ArchivedRole).toBool())
        for (const auto role : { QPalette::Text, QPalette::HighlightedText })
            option->palette.setColor(role, themeColors().muted);
    if (index.data(RunTableModel::BetterRole).toBool())
        for (const auto role : { QPalette::Text, QPalette::HighlightedText })
            option->palette.setColor(role, themeColors().good);
}

void RunCellDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    paintFocus(painter, option);
}

QSize RunCellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    // A live run's numbers get longer while it is shown.
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    const QString usual = index.data(RunTableModel::UsualTextRole).toString();
    if (!usual.isEmpty())
        size.rwidth() = std::max(size.width(), option.fontMetrics.horizontalAdvance(usual) + 20);
    return size;
}

void RunNameDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    RunCellDelegate::initStyleOption(option, index);
    option->rect.setLeft(option->rect.left() + indentOf(index));
    option->textElideMode = Qt::ElideMiddle; // the number stays
    if (index.data(RunTableModel::BaselineRole).toBool())
        option->rect.setRight(option->rect.right() - kPin - kPinGap);
    if (index.data(RunTableModel::GroupRole).toBool()) {
        option->font.setWeight(QFont::DemiBold);
        option->fontMetrics = QFontMetrics(option->font);
        return;
    }
    const qreal ratio = option->widget ? option->widget->devicePixelRatioF() : 1;
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = QSize(kDot, kDot);
    const RunId run { index.data(RunTableModel::RunIdRole).toLongLong() };
    const RunStyle look = styleOf(run, backgroundOf(option->palette));
    const QPixmap dot = runDot(look.color, look.line, kDot, ratio);
    // The picture depends on the row: colour and line are those of the run's curves.
    option->icon = QIcon(dot);
    option->icon.addPixmap(dot, QIcon::Selected); // otherwise the style tints it
}

int RunNameDelegate::indentOf(const QModelIndex& index)
{
    return kIndent * index.data(RunTableModel::LevelRole).toInt();
}

QRect RunNameDelegate::foldSign(const QRect& cell)
{
    return { cell.left() + 5, cell.center().y() - kFold / 2, kFold, kFold };
}

void RunNameDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index); // once: it draws the dot
    if (item.rect != option.rect) { // the ground of the indent
        QStyleOptionViewItem ground = item;
        ground.rect = option.rect;
        ground.features &= ~QStyleOptionViewItem::HasCheckIndicator;
        paintGround(painter, ground);
    }
    const QStyle* style = item.widget ? item.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    if (index.data(RunTableModel::GroupRole).toBool()) {
        const bool folded = index.data(RunTableModel::FoldedRole).toBool();
        painter->drawPixmap(foldSign(option.rect),
            iconPixmap(QLatin1String(folded ? "chevron-right" : "chevron-down"),
                themeColors().muted, kFold, painter->device()->devicePixelRatioF()));
    }
    if (index.data(RunTableModel::BaselineRole).toBool())
        painter->drawPixmap(
            QPoint(item.rect.right() + kPinGap / 2, item.rect.center().y() - kPin / 2 + 1),
            iconPixmap(QLatin1String("pin"), themeColors().accent, kPin,
                painter->device()->devicePixelRatioF()));
    paintFocus(painter, option);
    paintVariant(*painter, item, index.data(RunTableModel::VariantRole).toString());
}

void RunNameDelegate::paintVariant(
    QPainter& painter, const QStyleOptionViewItem& item, const QString& variant)
{
    if (variant.isEmpty())
        return;
    const QStyle* style = item.widget ? item.widget->style() : QApplication::style();
    QRect room = style->subElementRect(QStyle::SE_ItemViewItemText, &item, item.widget);
    room.setLeft(room.left() + item.fontMetrics.horizontalAdvance(item.text) + kVariantGap);
    // The style has already elided the name if it needs all of the space.
    if (room.width() < kLeastVariant)
        return;
    painter.save();
    painter.setPen(themeColors().muted);
    QFont font = item.font;
    font.setWeight(QFont::Normal);
    painter.setFont(font);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
        item.fontMetrics.elidedText(variant, Qt::ElideRight, room.width()));
    painter.restore();
}

// The check box is where it is painted; a click on the sign of a group folds or unfolds it.
bool RunNameDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
    const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (event->type() == QEvent::MouseButtonRelease
        && index.data(RunTableModel::GroupRole).toBool()) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const QRect reach = foldSign(option.rect).adjusted(-5, -8, 4, 8); // that can be hit
        if (mouse->button() == Qt::LeftButton && reach.contains(mouse->pos())) {
            Q_EMIT foldClicked(index);
            return true;
        }
    }
    return RunCellDelegate::editorEvent(event, model, option, index);
}

// A live row changes five times a second; the text that is being typed remains.
void RunNameDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    if (editor->property("filled").toBool())
        return;
    RunCellDelegate::setEditorData(editor, index);
    editor->setProperty("filled", true);
}

// ---- state -----------------------------------------------------------------------------------

void RunStateDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    if (index.data(RunTableModel::GroupRole).toBool())
        return RunCellDelegate::paint(painter, option, index); // counts of states
    QStyleOptionViewItem ground = option;
    initStyleOption(&ground, index);
    const QString text = ground.text;
    paintGround(painter, ground);

    const QColor color = stateColor(index);
    const QFontMetrics metrics(option.font);
    // As wide as its word and never wider than the cell, where the word is elided.
    const int wide = std::min(metrics.horizontalAdvance(text) + 14, option.rect.width() - 10);
    const int high = metrics.height() + 4;
    const QRectF chip(option.rect.left() + 5, option.rect.center().y() - high / 2.0, wide, high);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(option.font);
    paintChip(*painter, chip, color,
        metrics.elidedText(text, Qt::ElideRight, static_cast<int>(chip.width()) - 10));
    painter->restore();
    paintFocus(painter, option);
}

QSize RunStateDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    // The widest state, because a run changes its own.
    int widest = 0;
    for (const QString& text : stateTexts())
        widest = std::max(widest, option.fontMetrics.horizontalAdvance(text));
    return { widest + kChipRoom, RunCellDelegate::sizeHint(option, index).height() };
}

} // namespace accrue
