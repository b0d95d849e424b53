// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/choice_list.h"

#include "ui/widgets/theme.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFontInfo>
#include <QPainter>
#include <QStandardItemModel>

#include <algorithm>

namespace accrue {

namespace {

constexpr int kSide = 10; // pixels beside the texts
constexpr int kAround = 5; // above and below a choice
constexpr int kAboveHeading = 10;
constexpr int kWidest = 520;

QFont smaller(QFont font)
{
    font.setPixelSize(QFontInfo(font).pixelSize() - 1);
    return font;
}

QFont ofHeading(QFont font)
{
    font = smaller(font);
    font.setWeight(QFont::DemiBold);
    return font;
}

void write(QPainter& painter, const QRect& place, const QFont& font, const QColor& color,
    const QString& text)
{
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(font).elidedText(text, Qt::ElideRight, place.width()));
}

} // namespace

ChoiceList::ChoiceList(QComboBox& box)
    : QStyledItemDelegate(&box)
    , m_box(box)
{
    box.setItemDelegate(this);
}

void ChoiceList::addHeading(const QString& text)
{
    m_box.addItem(text);
    auto* const items = qobject_cast<QStandardItemModel*>(m_box.model());
    QStandardItem* const heading = items->item(items->rowCount() - 1);
    heading->setFlags(Qt::NoItemFlags); // the arrow keys skip it
    heading->setData(true, HeadingRole);
}

void ChoiceList::addChoice(const QString& text, const QVariant& data, const QString& detail)
{
    m_box.addItem(text, data);
    m_box.setItemData(m_box.count() - 1, detail, DetailRole);
    const QFontMetrics metrics(m_box.font());
    widen(std::max(metrics.horizontalAdvance(text),
        QFontMetrics(smaller(m_box.font())).horizontalAdvance(detail)));
}

// The list may be wider than the box.
void ChoiceList::widen(int contents) const
{
    QAbstractItemView& list = *m_box.view();
    list.setMinimumWidth(
        std::max(list.minimumWidth(), std::min(contents + 2 * kSide + 24, kWidest)));
}

void ChoiceList::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QString title = index.data().toString();
    const bool isHeading = index.data(HeadingRole).toBool();
    const ThemeColors& colors = themeColors();
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, colors.selection);
    QRect place = option.rect.adjusted(kSide, kAround, -kSide, -kAround);
    painter->save();
    if (isHeading) {
        place.setTop(place.top() + kAboveHeading - kAround);
        write(*painter, place, ofHeading(option.font), colors.muted, title);
    } else {
        const int first = QFontMetrics(option.font).height();
        write(*painter, { place.topLeft(), QSize(place.width(), first) }, option.font, colors.text,
            title);
        place.setTop(place.top() + first);
        write(
            *painter, place, smaller(option.font), colors.muted, index.data(DetailRole).toString());
    }
    painter->restore();
}

QSize ChoiceList::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    if (index.data(HeadingRole).toBool())
        return { 1, QFontMetrics(ofHeading(option.font)).height() + kAboveHeading + kAround };
    const int lines =
        QFontMetrics(option.font).height() + QFontMetrics(smaller(option.font)).height();
    return { 1, lines + 2 * kAround };
}

} // namespace accrue
