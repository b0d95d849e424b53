// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_table.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>

#include "ui/pages/theme.h"

#include <algorithm>

namespace accrue {

namespace {

constexpr int kName = 0; // column and section
constexpr int kArrow = 8; // pixels
constexpr int kArrowGap = 4;
constexpr int kGrip = 4; // pixels beside an edge that size a section
constexpr int kLeastName = 180;
constexpr double kMostName = 0.4; // of the table, where that is not enough for all
constexpr double kMostFrozen = 0.6;

} // namespace

RunTableHeader::RunTableHeader(QWidget* parent)
    : SectionHeader(parent)
{
    setSectionsClickable(true);
    setFirstSectionMovable(false);
    setHighlightSections(false);
    setSortIndicatorClearable(true);
}

QSize RunTableHeader::sectionSizeFromContents(int section) const
{
    const int text = QFontMetrics(titleFont()).horizontalAdvance(titleOf(section));
    return { text + 2 * kPadding + kArrow + kArrowGap + 2, // what just fits is cut by rounding
        QHeaderView::sectionSizeFromContents(section).height() };
}

SectionHeader::Sign RunTableHeader::signOf(int section) const
{
    const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == section;
    return sorted ? Sign { kArrow, kArrowGap } : Sign {};
}

// Ascending points up, as the values grow downwards.
void RunTableHeader::paintSign(QPainter& painter, int /*section*/, int left, int middle) const
{
    const bool up = sortIndicatorOrder() == Qt::AscendingOrder;
    const double tip = middle + (up ? -2.5 : 2.5);
    const double base = middle + (up ? 2.5 : -2.5);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(themeColors().accent);
    painter.drawPolygon(QPolygonF(
        { QPointF(left, base), QPointF(left + kArrow, base), QPointF(left + kArrow / 2.0, tip) }));
}

QColor RunTableHeader::ink() const
{
    return themeColors().muted;
}

bool RunTableHeader::isOverFrozen(const QPoint& position) const
{
    const int frozen = static_cast<const RunTable*>(parentWidget())->frozenWidth();
    return frozen > 0 && position.x() < frozen + kGrip;
}

void RunTableHeader::paintEvent(QPaintEvent* event)
{
    QHeaderView::paintEvent(event);
    const int frozen = static_cast<const RunTable*>(parentWidget())->frozenWidth();
    if (frozen == 0)
        return;
    QPainter painter(viewport());
    paintSection(&painter, QRect(0, 0, frozen, height()), kName);
}

// To QHeaderView a section is where it is scrolled to.
bool RunTableHeader::viewportEvent(QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseMove:
    case QEvent::MouseButtonRelease: {
        auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->type() != QEvent::MouseButtonRelease
            && (mouse->buttons() == Qt::NoButton || mouse->type() != QEvent::MouseMove))
            m_moved = isOverFrozen(mouse->pos()) ? offset() : 0;
        if (m_moved == 0)
            break;
        QMouseEvent there(mouse->type(), mouse->position() - QPointF(m_moved, 0),
            mouse->globalPosition(), mouse->button(), mouse->buttons(), mouse->modifiers());
        return QHeaderView::viewportEvent(&there);
    }
    case QEvent::ToolTip: {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int moved = isOverFrozen(help->pos()) ? offset() : 0;
        QHelpEvent there(QEvent::ToolTip, help->pos() - QPoint(moved, 0), help->globalPos());
        return QHeaderView::viewportEvent(&there);
    }
    default:
        break;
    }
    return QHeaderView::viewportEvent(event);
}

// ---- the table -------------------------------------------------------------------------------

RunTable::RunTable(QWidget* parent)
    : QTableView(parent)
{
    setHorizontalHeader(new RunTableHeader(this));
    setHorizontalScrollMode(ScrollPerPixel);
    connect(horizontalScrollBar(), &QScrollBar::valueChanged, horizontalHeader()->viewport(),
        qOverload<>(&QWidget::update));
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int section) {
        m_nameSized = m_nameSized || (section == kName && !m_sizing);
        if (frozenWidth() > 0)
            viewport()->update();
    });
}

bool RunTable::canFreeze() const
{
    return !isColumnHidden(kName) && columnWidth(kName) <= kMostFrozen * viewport()->width();
}

int RunTable::frozenWidth() const
{
    return canFreeze() && columnViewportPosition(kName) < 0 ? columnWidth(kName) : 0;
}

// ---- widths ----------------------------------------------------------------------------------

int RunTable::widthOf(int first, int last) const
{
    int width = 0;
    for (int column = first; column <= last; ++column)
        width += isColumnHidden(column) ? 0 : columnWidth(column);
    return width;
}

void RunTable::setNameWidth(int width)
{
    const QScopedValueRollback guard(m_sizing, true);
    setColumnWidth(kName, width);
}

void RunTable::setLeading(int last)
{
    m_leading = last;
}

void RunTable::setNameSized(bool sized)
{
    m_nameSized = sized;
}

void RunTable::fitColumns()
{
    const QScopedValueRollback guard(m_sizing, true);
    resizeColumnsToContents();
    const int most = static_cast<int>(kMostName * viewport()->width());
    setNameWidth(std::min(columnWidth(kName), most));
    m_nameSized = true;
}

void RunTable::stretchName()
{
    if (m_nameSized || model() == nullptr)
        return;
    const int room = viewport()->width();
    const int all = room - widthOf(kName + 1, model()->columnCount() - 1);
    if (all >= kLeastName) {
        setNameWidth(all);
        return;
    }
    const int most = std::max(kLeastName, static_cast<int>(kMostName * room));
    setNameWidth(std::clamp(room - widthOf(kName + 1, m_leading), kLeastName, most));
}

void RunTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    stretchName();
}

// ---- the column that stays -------------------------------------------------------------------

QModelIndex RunTable::indexAt(const QPoint& position) const
{
    const bool frozen = position.x() >= 0 && position.x() < frozenWidth();
    return QTableView::indexAt(
        frozen ? QPoint(columnViewportPosition(kName), position.y()) : position);
}

QRect RunTable::visualRect(const QModelIndex& index) const
{
    QRect rect = QTableView::visualRect(index);
    if (index.column() == kName && frozenWidth() > 0)
        rect.moveLeft(0);
    return rect;
}

void RunTable::scrollTo(const QModelIndex& index, ScrollHint hint)
{
    const int before = horizontalScrollBar()->value();
    QTableView::scrollTo(index, hint);
    if (!canFreeze())
        return;
    const int hidden = columnWidth(kName) - columnViewportPosition(index.column());
    if (index.column() == kName)
        horizontalScrollBar()->setValue(before);
    else if (hidden > 0)
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - hidden);
}

void RunTable::scrollContentsBy(int dx, int dy)
{
    QTableView::scrollContentsBy(dx, dy);
    if (dx != 0) // what was painted over the others is moved with them
        viewport()->update();
}

void RunTable::paintFrozenCell(QPainter& painter, const QModelIndex& index)
{
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    option.rect = visualRect(index);
    option.state.setFlag(QStyle::State_Selected, selectionModel()->isSelected(index));
    option.state.setFlag(QStyle::State_HasFocus, hasFocus() && index == currentIndex());
    style()->drawPrimitive(QStyle::PE_PanelItemViewRow, &option, &painter, this);
    itemDelegateForIndex(index)->paint(&painter, option, index);
}

void RunTable::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    const QRect frozen(0, 0, frozenWidth(), viewport()->height());
    if (!frozen.intersects(event->rect()))
        return;
    QPainter painter(viewport());
    painter.setClipRect(frozen);
    painter.fillRect(frozen, themeColors().base);
    const int last = rowAt(event->rect().bottom());
    const int end = last < 0 ? model()->rowCount() - 1 : last;
    for (int row = std::max(0, rowAt(event->rect().top())); row <= end; ++row)
        paintFrozenCell(painter, model()->index(row, kName));
    painter.setPen(themeColors().control);
    painter.drawLine(frozen.topRight(), frozen.bottomRight());
}

} // namespace accrue
