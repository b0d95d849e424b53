// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/legend_delegate.h"

#include "ui/charts/curve_look.h"
#include "ui/models/chosen_runs_model.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QTextLayout>

#include <vector>

namespace accrue {

namespace {

constexpr int kEdge = 8; // pixels
constexpr int kIndent = 16; // of the runs of a group
constexpr int kSwatch = 22; // long enough to distinguish dashes and dots
constexpr int kButton = 14;
constexpr int kReach = 5; // around a button
constexpr int kAbove = 7; // and below the text
constexpr int kMostOfTitle = 3; // lines
constexpr int kMostOfDetail = 2;

int leftOf(const QModelIndex& index)
{
    return kEdge + (index.data(ChosenRunsModel::MemberRole).toBool() ? kIndent : 0);
}

QRect buttonOf(const QRect& row, int place)
{
    const int right = row.right() - kEdge - place * (kButton + 2 * kReach);
    return { right - kButton, row.center().y() - kButton / 2, kButton, kButton };
}

QRect eyeOf(const QRect& row)
{
    return buttonOf(row, 0);
}

QRect crossOf(const QRect& row)
{
    return buttonOf(row, 1);
}

bool isLarge(const QModelIndex& index)
{
    return index.data(ChosenRunsModel::GroupRole).toBool();
}

// Breaks if it must, in Chinese between any two characters; more is elided, and in the tooltip.
QStringList linesOf(const QString& text, const QFont& font, int width, int most)
{
    QTextLayout layout(text, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    QStringList lines;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        const bool isLast = lines.size() + 1 == most;
        const QString part =
            isLast ? text.mid(line.textStart()) : text.mid(line.textStart(), line.textLength());
        lines.append(QFontMetrics(font).elidedText(part.trimmed(), Qt::ElideRight, width));
        if (isLast)
            break;
    }
    layout.endLayout();
    return lines;
}

constexpr int kOfButton = kButton + 2 * kReach;

int textWidth(int row, const QModelIndex& index)
{
    return row - leftOf(index) - kSwatch - kEdge - kOfButton - kEdge;
}

struct Line {
    QString text;
    QFont font;
    bool isDetail = false;
};

// A group is named by its settings, which may need several lines; a run by its name.
// The lines of a run end before its cross, if that is drawn; there are as many as without it.
std::vector<Line> linesAt(
    const QModelIndex& index, const QFont& font, int width, bool hasCross = false)
{
    QFont bold = font;
    bold.setWeight(QFont::DemiBold);
    const QString title = index.data(Qt::DisplayRole).toString();
    const int beside = width - (hasCross ? kOfButton : 0);
    std::vector<Line> lines;
    if (isLarge(index))
        for (const QString& text : linesOf(title, bold, width, kMostOfTitle))
            lines.push_back({ text, bold });
    else
        lines.push_back({ QFontMetrics(font).elidedText(title, Qt::ElideMiddle, beside), font });
    const QString detail = index.data(ChosenRunsModel::DetailRole).toString();
    for (const QString& text : linesOf(detail, font, width, kMostOfDetail))
        lines.push_back({ QFontMetrics(font).elidedText(text, Qt::ElideRight, beside), font,
            /*isDetail=*/true });
    return lines;
}

bool isInUse(const QStyleOptionViewItem& option)
{
    return option.state & (QStyle::State_MouseOver | QStyle::State_Selected);
}

bool hasCross(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    return isInUse(option) && !isLarge(index);
}

} // namespace

void LegendDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem ground = option;
    initStyleOption(&ground, index);
    ground.text.clear();
    ground.state &= ~QStyle::State_HasFocus;
    const QStyle* const style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &ground, painter, option.widget);
    if (index.data(ChosenRunsModel::PointedAtRole).toBool()
        && !(option.state & QStyle::State_Selected))
        painter->fillRect(option.rect, themeColors().hover);

    painter->save();
    const int left = option.rect.left() + leftOf(index);
    const int middle = option.rect.top() + kAbove + QFontMetrics(option.font).height() / 2;
    const bool isShown = index.data(ChosenRunsModel::ShownRole).toBool();
    QColor color = index.data(ChosenRunsModel::StyleRole).value<QColor>();
    color.setAlphaF(isShown ? 1 : 0.35F);
    const auto line = static_cast<Qt::PenStyle>(index.data(ChosenRunsModel::LineRole).toInt());
    // Dashes are as long as the line is wide: at most so wide that two are seen.
    const double most = line == Qt::SolidLine ? 4 : 3;
    painter->setPen(penOf(color, line, isLarge(index) ? most : 2.5));
    painter->drawLine(left, middle, left + kSwatch, middle);
    paintText(
        *painter, option, option.rect.adjusted(leftOf(index) + kSwatch + kEdge, 0, 0, 0), index);
    paintButtons(*painter, option, index);
    if (option.state & QStyle::State_HasFocus) {
        painter->setPen(themeColors().accent);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

QStringList LegendDelegate::textsAt(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    QStringList texts;
    for (const Line& line :
        linesAt(index, option.font, textWidth(option.rect.width(), index), hasCross(option, index)))
        texts.append(line.text);
    return texts;
}

void LegendDelegate::paintText(QPainter& painter, const QStyleOptionViewItem& option,
    const QRect& row, const QModelIndex& index) const
{
    const bool isShown = index.data(ChosenRunsModel::ShownRole).toBool();
    const int width = textWidth(option.rect.width(), index);
    int top = row.top() + kAbove;
    for (const Line& line : linesAt(index, option.font, width, hasCross(option, index))) {
        const QFontMetrics metrics(line.font);
        painter.setFont(line.font);
        painter.setPen(line.isDetail || !isShown ? themeColors().muted : themeColors().text);
        painter.drawText(QRect(row.left(), top, width, metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter, line.text);
        top += metrics.height() + 1;
    }
}

// The eye of a shown curve and the cross appear with the mouse; that of a hidden one always.
void LegendDelegate::paintButtons(
    QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const bool isShown = index.data(ChosenRunsModel::ShownRole).toBool();
    const qreal ratio = painter.device()->devicePixelRatioF();
    const auto draw = [&](const QRect& place, const char* icon) {
        painter.drawPixmap(
            place, iconPixmap(QLatin1String(icon), themeColors().muted, kButton, ratio));
    };
    if (isInUse(option) || !isShown)
        draw(eyeOf(option.rect), isShown ? "eye" : "eye-off");
    if (!hasCross(option, index))
        return;
    const QRect place = crossOf(option.rect).adjusted(-kReach, -kReach, kReach, kReach);
    painter.fillRect(place,
        option.state & QStyle::State_Selected ? themeColors().selection : themeColors().hover);
    draw(crossOf(option.rect), "close");
}

QSize LegendDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int width = option.rect.width() > 0 ? option.rect.width()
        : option.widget != nullptr            ? option.widget->width()
                                              : 200;
    int height = 2 * kAbove;
    for (const Line& line : linesAt(index, option.font, textWidth(width, index)))
        height += QFontMetrics(line.font).height() + 1;
    return { 160, height };
}

bool LegendDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
    const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (event->type() != QEvent::MouseButtonRelease && event->type() != QEvent::MouseButtonDblClick)
        return QStyledItemDelegate::editorEvent(event, model, option, index);
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const auto isOn = [&](const QRect& button) {
        return mouse->button() == Qt::LeftButton
            && button.adjusted(-kReach, -kReach, kReach, kReach).contains(mouse->pos());
    };
    const bool onEye = isOn(eyeOf(option.rect));
    const bool onCross = !isLarge(index) && isOn(crossOf(option.rect));
    if (!onEye && !onCross)
        return QStyledItemDelegate::editorEvent(event, model, option, index);
    if (event->type() == QEvent::MouseButtonRelease) {
        if (onEye)
            Q_EMIT eyeClicked(index);
        else
            Q_EMIT removeClicked(index);
    }
    return true;
}

} // namespace accrue
