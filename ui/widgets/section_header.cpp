// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/section_header.h"

#include <QPainter>

#include "ui/widgets/theme.h"

namespace accrue {

SectionHeader::SectionHeader(QColor ThemeColors::*ink, QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent)
    , m_ink(ink)
{
    setSectionsMovable(true);
}

QFont SectionHeader::titleFont() const
{
    QFont bold = font();
    // The same font for measuring and painting: a wider one would cut every title.
    bold.setWeight(QFont::DemiBold);
    return bold;
}

QString SectionHeader::titleOf(int section) const
{
    return model()->headerData(section, Qt::Horizontal).toString();
}

bool SectionHeader::isRight(int section) const
{
    const QVariant own = model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole);
    return own.isValid() ? (own.toInt() & Qt::AlignRight) != 0
                         : defaultAlignment().testFlag(Qt::AlignRight);
}

void SectionHeader::paintSection(QPainter* painter, const QRect& rect, int section) const
{
    painter->save();
    painter->fillRect(rect, themeColors().window);
    painter->setPen(themeColors().border);
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    const Sign sign = signOf(section);
    const int beside = sign.width + sign.gap;
    const int lead = leadOf(section);
    const QFontMetrics metrics(titleFont());
    const QString title = metrics.elidedText(
        titleOf(section), Qt::ElideRight, rect.width() - 2 * kPadding - beside - lead);
    const int wide = metrics.horizontalAdvance(title);
    const bool right = isRight(section);
    // The sign is on the inner side: left of a title at the right edge, otherwise right of it.
    const int left = right ? rect.right() + 1 - kPadding - wide : rect.left() + kPadding + lead;
    painter->setFont(titleFont());
    painter->setPen(themeColors().*m_ink);
    painter->drawText(QRect(left, rect.top(), wide, rect.height()), Qt::AlignVCenter, title);
    if (sign.width > 0)
        paintSign(
            *painter, section, right ? left - beside : left + wide + sign.gap, rect.center().y());
    painter->restore();
}

} // namespace accrue
