// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_table.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>

#include "ui/widgets/theme.h"

#include <algorithm>

// The name is painted a second time, at the left edge and over the other columns, while its own
// place is scrolled out of view. Everything that requests a place (visualRect, indexAt, the
// header's mouse events) is answered as if the column were there. A second view on top, as in Qt's
// example of a frozen column, would duplicate selection, editing and menus. A table so narrow that
// a frozen name would leave too little for the others freezes nothing.

namespace accrue {

namespace {

constexpr int kName = 0; // column and section
constexpr int kArrow = 8; // pixels
constexpr int kArrowGap = 4;
constexpr int kBox = 16; // the check box of the header, above those of the rows
constexpr int kBoxLeft = 10;
constexpr int kBoxLead = 22;
constexpr int kGrip = 4; // pixels beside an edge that size a section
constexpr int kLeastName = 180;
constexpr double kMostName = 0.4; // of the table, where that is not enough for all
constexpr double kMostFrozen = 0.6;

} // namespace

RunTableHeader::RunTableHeader(QWidget* parent)
    : SectionHeader(&ThemeColors::muted, parent)
{
    setSectionsClickable(true);
    setFirstSectionMovable(false);
    setHighlightSections(false);
    setSortIndicatorClearable(true);
}

// With room for the arrow in every column, so that sorting by another one cuts no title.
QSize RunTableHeader::sectionSizeFromContents(int section) const
{
    const int text = QFontMetrics(titleFont()).horizontalAdvance(titleOf(section));
    return { text + 2 * kPadding + kArrow + kArrowGap + leadOf(section)
            + 2, // what just fits is cut by rounding
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

const RunTable& RunTableHeader::table() const
{
    return *static_cast<const RunTable*>(parentWidget());
}

int RunTableHeader::movedAt(const QPoint& position) const
{
    const int frozen = table().frozenWidth();
    return frozen > 0 && position.x() < frozen + kGrip ? offset() : 0;
}

void RunTableHeader::paintEvent(QPaintEvent* event)
{
    QHeaderView::paintEvent(event);
    QPainter painter(viewport());
    if (const int frozen = table().frozenWidth(); frozen > 0)
        paintSection(&painter, QRect(0, 0, frozen, height()), kName);
    QStyleOptionViewItem box;
    box.initFrom(&table());
    box.rect = checkBox();
    box.state &= ~(QStyle::State_On | QStyle::State_Off | QStyle::State_MouseOver);
    box.state |= m_checked == Qt::Checked ? QStyle::State_On
        : m_checked == Qt::Unchecked      ? QStyle::State_Off
                                          : QStyle::State_NoChange;
    table().style()->drawPrimitive(QStyle::PE_IndicatorItemViewItemCheck, &box, &painter, &table());
}

int RunTableHeader::leadOf(int section) const
{
    return section == kName ? kBoxLead : 0;
}

QRect RunTableHeader::checkBox() const
{
    if (isSectionHidden(kName))
        return {};
    const int left = table().frozenWidth() > 0 ? 0 : sectionViewportPosition(kName);
    return { left + kBoxLeft, (height() - kBox) / 2, kBox, kBox };
}

void RunTableHeader::setCheckState(Qt::CheckState state)
{
    if (state == m_checked)
        return;
    m_checked = state;
    viewport()->update(checkBox());
}

// A press in the box and its release are no click on the header, which would sort.
bool RunTableHeader::pressesCheckBox(QEvent* event)
{
    const auto* mouse = dynamic_cast<QMouseEvent*>(event);
    if (mouse == nullptr)
        return false;
    const bool inside = checkBox().adjusted(-4, -6, 4, 6).contains(mouse->pos());
    if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick)
        return m_pressed = inside && mouse->button() == Qt::LeftButton;
    if (!m_pressed || event->type() != QEvent::MouseButtonRelease)
        return m_pressed;
    m_pressed = false;
    if (inside)
        Q_EMIT checkClicked();
    return true;
}

// To QHeaderView a section is where it is scrolled to: it receives events over the frozen one as if
// they were there. While a button is held, all go to the section of the press, or a drag that
// leaves the frozen section would jump.
bool RunTableHeader::viewportEvent(QEvent* event)
{
    if (pressesCheckBox(event))
        return true;
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QHelpEvent there(
            QEvent::ToolTip, help->pos() - QPoint(movedAt(help->pos()), 0), help->globalPos());
        return QHeaderView::viewportEvent(&there);
    }
    const auto* mouse = dynamic_cast<QMouseEvent*>(event);
    if (mouse == nullptr)
        return QHeaderView::viewportEvent(event);
    const bool isMove = mouse->type() == QEvent::MouseMove;
    const bool isHeld = isMove && mouse->buttons() != Qt::NoButton;
    if (mouse->type() != QEvent::MouseButtonRelease && !isHeld)
        m_moved = movedAt(mouse->pos());
    if (m_moved == 0)
        return QHeaderView::viewportEvent(event);
    QMouseEvent there(mouse->type(), mouse->position() - QPointF(m_moved, 0),
        mouse->globalPosition(), mouse->button(), mouse->buttons(), mouse->modifiers());
    return QHeaderView::viewportEvent(&there);
}

// ---- the table -------------------------------------------------------------------------------

RunTable::RunTable(QWidget* parent)
    : QTableView(parent)
{
    setHorizontalHeader(new RunTableHeader(this));
    setHorizontalScrollMode(ScrollPerPixel);
    // Scrolling moves the painted pixels of the header, and with them the frozen section.
    connect(horizontalScrollBar(), &QScrollBar::valueChanged, horizontalHeader()->viewport(),
        qOverload<>(&QWidget::update));
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int section) {
        m_nameSized = m_nameSized || (section == kName && !m_sizing);
        if (frozenWidth() > 0)
            viewport()->update();
    });
}

RunTableHeader& RunTable::header() const
{
    return *static_cast<RunTableHeader*>(horizontalHeader());
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

// Does not count as a width that the user set, which would end its stretching.
void RunTable::setNameWidth(int width)
{
    const QScopedValueRollback guard(m_sizing, true);
    setColumnWidth(kName, width);
}

// From then on the name has the width that it was given here, as if by hand.
void RunTable::fitColumns()
{
    const QScopedValueRollback guard(m_sizing, true);
    resizeColumnsToContents();
    const int most = static_cast<int>(kMostName * viewport()->width());
    setNameWidth(std::min(columnWidth(kName), most));
    m_nameSized = true;
}

// If all columns fit beside a readable name, it has the rest. Otherwise those up to m_leading are
// to fit, and the name has no more than its share.
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

// Over the frozen name, a place within its real one, which QTableView knows.
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

// QTableView considers a cell visible that is behind the frozen name. The name itself is always
// visible: scrolling to it moves rows only.
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

// Does what QTableView::paintEvent does privately to prepare a cell.
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

// Over what QTableView has painted, and only the exposed rows: a live run changes one row.
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
