// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_list_view.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>

#include "ui/models/format.h"
#include "ui/models/run_sort_filter_model.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/run_delegates.h"

#include <algorithm>

// The list changes by itself while it is read. Until the user has chosen a run, the newest shown
// run is selected; from then on the selection is the user's. listChange(), which the page holds
// while it changes the runs, the filter or the log, distinguishes the two.

namespace accrue {

namespace {

constexpr int kRowHeight = 30;
constexpr int kCellPadding = 24; // pixels, both sides

RunId idAt(const QModelIndex& index)
{
    return static_cast<RunId>(index.data(RunTableModel::RunIdRole).toLongLong());
}

} // namespace

RunListView::RunListView(QWidget* parent)
    : RunTable(parent)
    , m_runs(new RunTableModel(this))
    , m_shown(new RunSortFilterModel(this))
{
    m_shown->setSourceModel(m_runs);
    setModel(m_shown);
    setAccessibleName(tr("Runs"));
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setUpRows(*this, kRowHeight);
    setStyleSheet(QStringLiteral("QTableView::item { padding: 0 7px; border: none; }"));
    setWordWrap(false);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setItemDelegate(new RunCellDelegate(this));
    setItemDelegateForColumn(RunTableModel::Name, new RunNameDelegate(this));
    setItemDelegateForColumn(RunTableModel::State, new RunStateDelegate(this));
    buildHeaders();
    connect(this, &QAbstractItemView::doubleClicked, this, &RunListView::openRequested);
    // Also a press on the run that is selected already, which changes no selection.
    connect(this, &QAbstractItemView::pressed, this, [this] { m_followsNewest = false; });
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        // A selection that the list itself has changed is no choice of the user.
        m_followsNewest = m_followsNewest && m_listChanges;
        Q_EMIT selectedRunsChanged();
    });
}

// ---- columns ---------------------------------------------------------------------------------

void RunListView::buildHeaders()
{
    QHeaderView* header = horizontalHeader();
    sortByStart();
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    header->setMinimumSectionSize(36);
    header->setResizeContentsPrecision(50); // rows: a log may have thousands
    setSortingEnabled(true);
    for (const int column : { RunTableModel::Optimizer, RunTableModel::Progress,
             RunTableModel::Seed, RunTableModel::Device, RunTableModel::Note })
        setColumnHidden(column, true);
    setLeading(RunTableModel::LearningRate);
    connect(header, &QWidget::customContextMenuRequested, this, &RunListView::showHeaderMenu);
}

// No column: the order that RunSortFilterModel has by itself, live runs first, then the newest.
void RunListView::sortByStart()
{
    horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
}

// Once: a run's texts while it trains are narrower than those at its end.
void RunListView::sizeColumns()
{
    m_sized = true;
    resizeColumnsToContents();
    // Wide enough for the numbers of later runs: the columns are sized only once.
    const int number = fontMetrics().horizontalAdvance(countText(8'192)) + kCellPadding;
    for (const int column :
        { RunTableModel::MicroBatch, RunTableModel::Steps, RunTableModel::Effective })
        setColumnWidth(column, std::max(columnWidth(column), number));
    setNameSized(false);
    stretchName();
}

bool RunListView::restoreColumns(const QByteArray& header, bool nameSized)
{
    m_sized = horizontalHeader()->restoreState(header);
    setNameSized(nameSized);
    stretchName();
    return m_sized;
}

void RunListView::showHeaderMenu(const QPoint& position)
{
    QMenu menu(this);
    for (int column = 0; column < RunTableModel::ColumnCount; ++column) {
        QAction* action =
            menu.addAction(m_runs->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setToolTip(m_runs->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        // The name has the check box and the run's colour: a table without it is of no use.
        action->setEnabled(column != RunTableModel::Name);
        connect(action, &QAction::toggled, this, [this, column](bool shown) {
            setColumnHidden(column, !shown);
            stretchName();
        });
    }
    menu.setToolTipsVisible(true);
    menu.addSeparator();
    menu.addActions(m_columnActions);
    menu.exec(horizontalHeader()->mapToGlobal(position));
}

// ---- which runs ------------------------------------------------------------------------------

void RunListView::setRuns(const std::shared_ptr<const std::vector<RunRecord>>& runs)
{
    m_runs->setRuns(runs);
    // An empty list has no contents that a width could be taken from.
    if (!m_sized && m_runs->rowCount() > 0)
        sizeColumns();
}

void RunListView::forgetRuns()
{
    m_runs->clear();
    m_followsNewest = true;
}

// The newest that is shown: the newest of all may be archived, or not match the search.
void RunListView::followNewest()
{
    if (!m_followsNewest || isRenaming())
        return;
    for (int row = 0; row < m_runs->rowCount(); ++row) { // newest first
        const QModelIndex shown = m_shown->mapFromSource(m_runs->index(row, 0));
        if (!shown.isValid())
            continue;
        if (selectedRuns() != std::vector { m_runs->run(row).id })
            showRow(shown.row());
        return;
    }
}

QModelIndex RunListView::shownIndexOf(RunId run) const
{
    return m_shown->mapFromSource(m_runs->index(m_runs->rowOf(run), 0));
}

std::vector<RunId> RunListView::selectedRuns() const
{
    QModelIndexList rows = selectionModel()->selectedRows(); // in no order
    std::sort(rows.begin(), rows.end());
    std::vector<RunId> runs;
    for (const QModelIndex& index : rows)
        runs.push_back(idAt(index));
    return runs;
}

const RunRecord* RunListView::currentRun() const
{
    const auto selected = selectedRuns();
    return selected.empty() ? nullptr : m_runs->find(selected.front());
}

bool RunListView::isAnyChecked() const
{
    return !m_actsOnSelection && !m_runs->checked().empty();
}

std::vector<RunId> RunListView::chosenRuns() const
{
    return isAnyChecked() ? m_runs->checked() : selectedRuns();
}

// For actions on a whole search, such as an export: nothing needs to be selected first.
std::vector<RunId> RunListView::targetRuns() const
{
    std::vector<RunId> runs = chosenRuns();
    if (!runs.empty())
        return runs;
    for (int row = 0; row < m_shown->rowCount(); ++row)
        runs.push_back(idAt(m_shown->index(row, 0)));
    return runs;
}

// Beside the rows the current run is meant.
bool RunListView::isCheckedAt(const QPoint& position) const
{
    const QModelIndex pointed = indexAt(position);
    const QModelIndex at = pointed.isValid() ? pointed : currentIndex();
    return at.siblingAtColumn(RunTableModel::Name).data(Qt::CheckStateRole).toInt() == Qt::Checked;
}

bool RunListView::isShown(RunId run) const
{
    return shownIndexOf(run).isValid();
}

QString RunListView::countsText() const
{
    const int all = m_runs->rowCount();
    const int shown = m_shown->rowCount();
    const std::vector<RunId> checks = m_runs->checked();
    const auto away = std::ranges::count(checks, false, [this](RunId run) { return isShown(run); });
    if (all == 0)
        return {};
    QString text = countedText(all, tr("1 run"), tr("%1 runs"));
    if (shown != all)
        text =
            all == 1 ? tr("0 of 1 run") : tr("%1 of %2 runs").arg(countText(shown), countText(all));
    if (!checks.empty())
        text += QStringLiteral(" · ")
            + tr("%1 checked").arg(countText(static_cast<std::int64_t>(checks.size())));
    if (away > 0)
        text += tr(", %1 not shown").arg(countText(away));
    return text;
}

// Not selectRow: a modifier key that is held would add to the selection.
void RunListView::showRow(int row)
{
    const QModelIndex index = m_shown->index(row, RunTableModel::Name);
    selectionModel()->setCurrentIndex(
        index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    scrollTo(index);
}

void RunListView::selectAnyRow()
{
    if (!selectionModel()->hasSelection())
        showRow(std::max(0, currentIndex().row()));
}

void RunListView::showRun(RunId run)
{
    showRow(shownIndexOf(run).row());
    m_followsNewest = false;
}

// As for a check box of several rows: all are checked unless all already are.
void RunListView::toggleChecked()
{
    std::vector<RunId> now = m_runs->checked();
    const auto selected = selectedRuns();
    const bool off =
        std::ranges::all_of(selected, [this](RunId run) { return m_runs->isChecked(run); });
    for (const RunId run : selected) {
        std::erase(now, run);
        if (!off)
            now.push_back(run);
    }
    m_followsNewest = false;
    m_runs->setChecked(now);
}

// No edit trigger starts it: a double click opens the run.
void RunListView::rename()
{
    const QModelIndexList rows = selectionModel()->selectedRows(RunTableModel::Name);
    if (rows.size() == 1)
        edit(rows.first());
}

bool RunListView::isRenaming() const
{
    const auto* editor = viewport()->findChild<QLineEdit*>();
    return editor && editor->isVisible();
}

// ---- events ----------------------------------------------------------------------------------

void RunListView::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (isRenaming()) // a key that the editor left over
        return RunTable::keyPressEvent(event);
    if (key == Qt::Key_Space)
        Q_EMIT checkRequested();
    else if (enter && event->modifiers() == Qt::NoModifier && currentRun() != nullptr)
        Q_EMIT openRequested();
    else
        RunTable::keyPressEvent(event);
}

} // namespace accrue
