// SPDX-License-Identifier: Apache-2.0
#include "ui/table/table_header.h"

#include <QMouseEvent>
#include <QPainter>

#include "ui/table/comparison_table_model.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/run_delegates.h"
#include "ui/widgets/theme.h"

#include <algorithm>

namespace accrue {

namespace {

using Model = ComparisonTableModel;
using Fold = Model::Fold;
using Sort = Model::Sort;

constexpr int kPadding = 8; // pixels
constexpr int kDot = 14;
constexpr int kSign = 12; // fold, pin, arrow
constexpr int kGap = 5;
constexpr int kIndent = 14; // of details
constexpr int kWidestRun = 160; // of a title; longer ones are elided, and in the tooltip
constexpr int kFewRuns = 6; // have room for more of their names
constexpr int kWidestOfFew = 240;
constexpr int kWidestRow = 190;
constexpr int kRowHeight = 28;

void paintSign(QPainter& painter, const char* icon, const QColor& color, const QPoint& place)
{
    painter.drawPixmap(place,
        iconPixmap(QLatin1String(icon), color, kSign, painter.device()->devicePixelRatioF()));
}

} // namespace

TableHeader::TableHeader(Qt::Orientation orientation, QWidget* parent)
    : QHeaderView(orientation, parent)
{
    setSectionsClickable(true);
    setHighlightSections(false);
    setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

QVariant TableHeader::ask(int section, int role) const
{
    return model()->headerData(section, orientation(), role);
}

bool TableHeader::isOfRuns() const
{
    return static_cast<const Model*>(model())->isOfRuns(orientation());
}

// The same for measuring and painting: a wider one would cut every title.
QFont TableHeader::titleFont(int section) const
{
    QFont bold = font();
    if (isOfRuns() || ask(section, Model::SortRole).toInt() != static_cast<int>(Sort::None))
        bold.setWeight(QFont::DemiBold);
    return bold;
}

QSize TableHeader::sectionSizeFromContents(int section) const
{
    if (model() == nullptr)
        return QHeaderView::sectionSizeFromContents(section);
    const QFontMetrics metrics(titleFont(section));
    int wide = metrics.horizontalAdvance(ask(section, Qt::DisplayRole).toString());
    if (isOfRuns())
        wide = std::max(wide,
            QFontMetrics(font()).horizontalAdvance(ask(section, Model::DetailRole).toString()));
    const int signs = isOfRuns() ? kDot + kGap + kSign : kSign + kGap + kSign + kIndent;
    const int high = isOfRuns() ? 2 * metrics.height() + 10 : kRowHeight;
    const int widestRun = count() <= kFewRuns ? kWidestOfFew : kWidestRun;
    return { std::min(wide, isOfRuns() ? widestRun : kWidestRow) + signs + 2 * kPadding, high };
}

void TableHeader::paintSection(QPainter* painter, const QRect& rect, int section) const
{
    painter->save();
    painter->fillRect(rect, themeColors().window);
    painter->setPen(themeColors().border);
    // Between header and cells only.
    if (orientation() == Qt::Horizontal)
        painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    else
        painter->drawLine(rect.topRight(), rect.bottomRight());
    if (isOfRuns())
        paintRun(*painter, rect, section);
    else
        paintRow(*painter, rect, section);
    painter->restore();
}

void TableHeader::paintRun(QPainter& painter, const QRect& rect, int section) const
{
    const QFontMetrics metrics(titleFont(section));
    const int top = rect.center().y() - metrics.height() + 1;
    painter.drawPixmap(QPoint(rect.left() + kPadding, top + (metrics.height() - kDot) / 2),
        runDot(ask(section, Model::StyleRole).value<QColor>(),
            static_cast<Qt::PenStyle>(ask(section, Model::LineRole).toInt()), kDot,
            devicePixelRatioF()));
    const int left = rect.left() + kPadding + kDot + kGap;
    int right = rect.right() - kPadding;
    if (ask(section, Model::BaselineRole).toBool()) {
        right -= kSign;
        paintSign(
            painter, "pin", themeColors().accent, { right, top + (metrics.height() - kSign) / 2 });
        right -= kGap;
    }
    painter.setFont(titleFont(section));
    painter.setPen(themeColors().text);
    // The number at the end stays.
    painter.drawText(left, top + metrics.ascent(),
        metrics.elidedText(
            ask(section, Qt::DisplayRole).toString(), Qt::ElideMiddle, right - left));
    painter.setFont(font());
    painter.setPen(themeColors().muted);
    painter.drawText(left, top + metrics.height() + QFontMetrics(font()).ascent(),
        QFontMetrics(font()).elidedText(ask(section, Model::DetailRole).toString(), Qt::ElideRight,
            rect.right() - kPadding - left));
}

QRect TableHeader::foldSign(const QRect& section) const
{
    return { section.left(), section.top(), kPadding + kSign + kGap, section.height() };
}

void TableHeader::paintRow(QPainter& painter, const QRect& rect, int section) const
{
    const auto fold = static_cast<Fold>(ask(section, Model::FoldRole).toInt());
    const auto sort = static_cast<Sort>(ask(section, Model::SortRole).toInt());
    const int middle = rect.center().y() - kSign / 2 + 1;
    if (fold != Fold::None)
        paintSign(painter, fold == Fold::Folded ? "chevron-right" : "chevron-down",
            themeColors().muted, { rect.left() + kPadding, middle });
    const int indent = ask(section, Model::IndentRole).toBool() ? kIndent : 0;
    const int left = rect.left() + kPadding + kSign + kGap + indent;
    int right = rect.right() - kPadding;
    if (sort != Sort::None) {
        right -= kSign;
        // From the best on the left, or from the top, to the worst.
        paintSign(painter, sort == Sort::BestFirst ? "chevron-down" : "chevron-up",
            themeColors().accent, { right, middle });
        right -= kGap;
    }
    painter.setFont(titleFont(section));
    painter.setPen(indent > 0 ? themeColors().muted : themeColors().text);
    const QFontMetrics metrics(painter.font());
    // Above its values, which are at the right.
    const Qt::Alignment side = orientation() == Qt::Horizontal ? Qt::AlignRight : Qt::AlignLeft;
    painter.drawText(QRect(left, rect.top(), right - left, rect.height()), Qt::AlignVCenter | side,
        metrics.elidedText(ask(section, Qt::DisplayRole).toString(), Qt::ElideRight, right - left));
}

QRect TableHeader::rectOf(int section) const
{
    const int at = sectionViewportPosition(section);
    const int size = sectionSize(section);
    return orientation() == Qt::Vertical ? QRect(0, at, viewport()->width(), size)
                                         : QRect(at, 0, size, viewport()->height());
}

void TableHeader::mousePressEvent(QMouseEvent* event)
{
    const int section = logicalIndexAt(event->pos());
    if (event->button() == Qt::LeftButton && section >= 0 && !isOfRuns()
        && ask(section, Model::FoldRole).toInt() != static_cast<int>(Fold::None)
        && foldSign(rectOf(section)).contains(event->pos())) {
        Q_EMIT foldClicked(section);
        return;
    }
    QHeaderView::mousePressEvent(event);
}

} // namespace accrue
