// SPDX-License-Identifier: Apache-2.0
#include "ui/table/table_view.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QMouseEvent>

#include "engine/compare/table_text.h"
#include "ui/curves/run_selection.h"
#include "ui/table/comparison_table_model.h"
#include "ui/table/table_cells.h"
#include "ui/table/table_header.h"
#include "ui/widgets/icons.h"

#include <algorithm>
#include <set>

namespace accrue {

namespace {

constexpr int kRowHeight = 28; // pixels
constexpr int kLeastColumn = 90;
constexpr int kWidestColumn = 320;

bool has(const std::vector<RunId>& runs, RunId run)
{
    return std::ranges::find(runs, run) != runs.end();
}

} // namespace

TableView::TableView(ComparisonTableModel& model, RunSelection& selection, QWidget* parent)
    : QTableView(parent)
    , m_model(model)
    , m_selection(selection)
    , m_copy(new QAction(themedIcon(QLatin1String("copy")), tr("Copy cells"), this))
{
    setModel(&model);
    setAccessibleName(tr("Comparison"));
    setItemDelegate(new TableCells(this));
    setShowGrid(false);
    setWordWrap(false);
    setMouseTracking(true);
    // Scrolls by pixels: the columns are wide, and would jump past what the user reads.
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setUpHeader(new TableHeader(Qt::Horizontal, this));
    setUpHeader(new TableHeader(Qt::Vertical, this));
    m_copy->setShortcut(QKeySequence::Copy);
    m_copy->setShortcutContext(Qt::WidgetShortcut);
    addAction(m_copy);
    connect(m_copy, &QAction::triggered, this, &TableView::copySelection);
    setContextMenuPolicy(Qt::CustomContextMenu);
    connect(this, &QWidget::customContextMenuRequested, this, &TableView::showMenu);
    connect(&model, &QAbstractItemModel::modelReset, this, &TableView::fit);
    connect(&model, &QAbstractItemModel::dataChanged, this, &TableView::fit);
    connect(&model, &QAbstractItemModel::modelReset, this, &TableView::showSelection);
    connect(&selection, &RunSelection::selectedChanged, this, &TableView::showSelection);
    connect(
        selectionModel(), &QItemSelectionModel::selectionChanged, this, &TableView::takeSelection);
}

// A view selects what belongs to any header that is pressed; here only runs are selected that way.
void TableView::setUpHeader(TableHeader* header)
{
    const Qt::Orientation orientation = header->orientation();
    if (orientation == Qt::Horizontal)
        setHorizontalHeader(header);
    else
        setVerticalHeader(header);
    disconnect(header, &QHeaderView::sectionPressed, this, nullptr);
    disconnect(header, &QHeaderView::sectionEntered, this, nullptr);
    connect(header, &QHeaderView::sectionPressed, this, [this, orientation](int section) {
        if (m_model.isOfRuns(orientation))
            orientation == Qt::Horizontal ? selectColumn(section) : selectRow(section);
    });
    connect(header, &QHeaderView::sectionClicked, this,
        [this, orientation](int section) { takeClick(orientation, section); });
    connect(header, &TableHeader::foldClicked, this, &TableView::takeFold);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this,
        [this, header](const QPoint& position) { showHeaderMenu(*header, position); });
}

void TableView::takeClick(Qt::Orientation orientation, int section)
{
    if (!m_model.isOfRuns(orientation))
        Q_EMIT sortRequested(m_model.table().rows.at(static_cast<std::size_t>(section)).id);
}

void TableView::takeFold(int section)
{
    Q_EMIT foldRequested(m_model.table().rows.at(static_cast<std::size_t>(section)).key);
}

// ---- sizes -----------------------------------------------------------------------------------

int TableView::widthOf(int column) const
{
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    int wide = horizontalHeader()->sectionSizeHint(column);
    for (int row = 0; row < m_model.rowCount(); ++row)
        wide = std::max(wide, itemDelegate()->sizeHint(option, m_model.index(row, column)).width());
    return std::clamp(wide, kLeastColumn, kWidestColumn);
}

// Columns only get wider while the same runs are shown: a live value must not move the others.
void TableView::fit()
{
    const bool isReset = m_shape != QSize(m_model.columnCount(), m_model.rowCount());
    m_shape = { m_model.columnCount(), m_model.rowCount() };
    verticalHeader()->setDefaultSectionSize(
        m_model.isTransposed() ? 2 * fontMetrics().height() + 12 : kRowHeight);
    for (int column = 0; column < m_model.columnCount(); ++column) {
        const int wide = widthOf(column);
        if (isReset || wide > columnWidth(column))
            setColumnWidth(column, wide);
    }
}

// ---- selection -------------------------------------------------------------------------------

std::vector<RunId> TableView::runsOfSelection() const
{
    std::vector<RunId> runs;
    for (const QModelIndex& index : selectionModel()->selectedIndexes())
        for (const RunId run : m_model.runsAt(index))
            if (!has(runs, run))
                runs.push_back(run);
    return runs;
}

void TableView::takeSelection()
{
    if (!m_isShowing)
        m_selection.select(runsOfSelection());
}

// A cell that is selected stays alone if its run is the one that is selected elsewhere.
void TableView::showSelection()
{
    const std::vector<RunId>& wanted = m_selection.selected();
    const std::vector<RunId> shown = runsOfSelection();
    if (shown.size() == wanted.size() && std::ranges::is_permutation(shown, wanted))
        return;
    QItemSelection selection;
    for (std::size_t i = 0; i < m_model.table().columns.size(); ++i) {
        const int at = static_cast<int>(i);
        const auto runs = m_model.runsOf(i);
        if (!std::ranges::all_of(runs, [&](RunId run) { return has(wanted, run); }))
            continue;
        const bool turned = m_model.isTransposed();
        selection.select(m_model.index(turned ? at : 0, turned ? 0 : at),
            m_model.index(
                turned ? at : m_model.rowCount() - 1, turned ? m_model.columnCount() - 1 : at));
    }
    m_isShowing = true;
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    m_isShowing = false;
}

void TableView::mouseMoveEvent(QMouseEvent* event)
{
    QTableView::mouseMoveEvent(event);
    m_selection.pointAt(m_model.runsAt(indexAt(event->pos())));
}

void TableView::leaveEvent(QEvent* event)
{
    QTableView::leaveEvent(event);
    m_selection.pointAt({});
}

// ---- copies ----------------------------------------------------------------------------------

QString TableView::selectedText() const
{
    const QModelIndexList cells = selectionModel()->selectedIndexes();
    if (cells.isEmpty())
        return {};
    const TextLines all = shownLines(m_model.table(), m_model.isTransposed());
    // The first line and the first cell of a line are titles.
    const auto textAt = [&](int row, int column) {
        return all.at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(column));
    };
    if (cells.size() == 1)
        return QString::fromStdString(textAt(cells[0].row() + 1, cells[0].column() + 1));
    std::set<int> rows { 0 };
    std::set<int> columns { 0 };
    for (const QModelIndex& index : cells) {
        rows.insert(index.row() + 1);
        columns.insert(index.column() + 1);
    }
    TextLines lines;
    for (const int row : rows) {
        lines.emplace_back();
        for (const int column : columns) {
            const bool isTitle = row == 0 || column == 0;
            lines.back().push_back(
                isTitle || selectionModel()->isSelected(m_model.index(row - 1, column - 1))
                    ? textAt(row, column)
                    : std::string());
        }
    }
    return QString::fromStdString(tabSeparated(lines));
}

void TableView::copySelection()
{
    const QString text = selectedText();
    if (!text.isEmpty())
        QGuiApplication::clipboard()->setText(text);
}

// ---- menu ------------------------------------------------------------------------------------

void TableView::fillMenu(QMenu& menu, const QModelIndex& index)
{
    const auto at = static_cast<std::size_t>(m_model.isTransposed() ? index.column() : index.row());
    const auto column =
        static_cast<std::size_t>(m_model.isTransposed() ? index.row() : index.column());
    if (at < m_model.table().rows.size()) {
        const TableRow& row = m_model.table().rows[at];
        menu.addAction(tr("Sort by this"), this, [this, id = row.id] { Q_EMIT sortRequested(id); });
        QAction* const fold =
            menu.addAction(row.isUnfolded ? tr("Show less of it") : tr("Show more of it"), this,
                [this, key = row.key] { Q_EMIT foldRequested(key); });
        fold->setEnabled(row.canUnfold || row.isDetail);
    }
    if (column < m_model.table().columns.size()) {
        const std::vector<RunId> runs = m_model.runsOf(column);
        const bool isBaseline = m_model.table().columns[column].isBaseline;
        menu.addAction(themedIcon(QLatin1String("pin")),
            isBaseline ? tr("Unpin baseline") : tr("Use as baseline"), this,
            [this, runs, isBaseline] {
                m_selection.setBaseline(isBaseline ? std::nullopt : std::optional(runs.front()));
            });
        menu.addAction(themedIcon(QLatin1String("eye-off")), tr("Hide"), this,
            [this, runs] { m_selection.setHidden(runs, true); });
    }
    menu.addAction(tr("Show all"), &m_selection, &RunSelection::showAll);
    menu.addSeparator();
    m_copy->setEnabled(selectionModel()->hasSelection());
    menu.addAction(m_copy);
    menu.addActions(m_copies);
}

void TableView::showMenu(const QPoint& position)
{
    QMenu menu(this);
    const QModelIndex under = indexAt(position);
    fillMenu(menu, under.isValid() ? under : currentIndex());
    menu.exec(viewport()->mapToGlobal(position));
    m_copy->setEnabled(true); // its key
}

void TableView::showHeaderMenu(const TableHeader& header, const QPoint& position)
{
    const int section = header.logicalIndexAt(position);
    QMenu menu(this);
    fillMenu(menu,
        header.orientation() == Qt::Horizontal ? m_model.index(0, section)
                                               : m_model.index(section, 0));
    menu.exec(header.mapToGlobal(position));
    m_copy->setEnabled(true);
}

} // namespace accrue
