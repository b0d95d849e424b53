// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_list_view.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>

#include "ui/models/format.h"
#include "ui/rows/run_curves.h"
#include "ui/runs/run_picture_delegates.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/run_delegates.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

// The list changes by itself while it is read. Until the user has chosen a run, the newest shown
// run is selected; from then on the selection is the user's. listChange(), which the page holds
// while it changes the runs, the filter or the log, distinguishes the two.

namespace accrue {

namespace {

constexpr int kRowHeight = 30;
constexpr int kCellPadding = 24; // pixels, both sides

} // namespace

RunListView::RunListView(QWidget* parent)
    : RunTable(parent)
    , m_runs(new RunTableModel(this))
    , m_shown(new ShownRunsModel(*m_runs, this))
{
    setModel(m_shown);
    setAccessibleName(tr("Runs"));
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setUpRows(*this, kRowHeight);
    setStyleSheet(QStringLiteral("QTableView::item { padding: 0 7px; border: none; }"));
    setWordWrap(false);
    setContextMenuPolicy(Qt::CustomContextMenu);
    buildCells();
    buildHeaders();
    connect(this, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex& index) {
        if (!m_shown->isGroup(index.row()))
            Q_EMIT openRequested();
        else
            m_shown->setFolded(index.row(), !m_shown->isFolded(index.row()));
    });
    // Also a press on the run that is selected already, which changes no selection.
    connect(this, &QAbstractItemView::pressed, this, [this] { m_followsNewest = false; });
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        // A selection that the list itself has changed is no choice of the user.
        m_followsNewest = m_followsNewest && m_listChanges;
        // Whoever changes the list asks for the selection when the change is complete.
        if (!m_listChanges)
            Q_EMIT selectedRunsChanged();
    });
}

void RunListView::buildCells()
{
    auto* names = new RunNameDelegate(this);
    auto* tags = new RunTagsDelegate(this);
    setItemDelegate(new RunCellDelegate(this));
    setItemDelegateForColumn(RunTableModel::Name, names);
    setItemDelegateForColumn(RunTableModel::State, new RunStateDelegate(this));
    setItemDelegateForColumn(RunTableModel::Tags, tags);
    connect(tags, &RunTagsDelegate::tagClicked, this, &RunListView::tagClicked);
    connect(names, &RunNameDelegate::foldClicked, this, [this](const QModelIndex& group) {
        m_shown->setFolded(group.row(), !m_shown->isFolded(group.row()));
    });
}

// Columns whose cells are pictures.
void RunListView::setCurves(RunCurves& curves)
{
    for (const auto& [column, kind] : { std::pair(RunTableModel::LossCurve, RunCurves::Kind::Loss),
             std::pair(RunTableModel::AccuracyCurve, RunCurves::Kind::Accuracy) })
        setItemDelegateForColumn(column, new RunCurveDelegate(curves, kind, this));
    connect(&curves, &RunCurves::changed, this, [this] {
        for (const int column : { RunTableModel::LossCurve, RunTableModel::AccuracyCurve })
            if (!isColumnHidden(column))
                viewport()->update(
                    columnViewportPosition(column), 0, columnWidth(column), viewport()->height());
    });
}

// ---- columns ---------------------------------------------------------------------------------

void RunListView::buildHeaders()
{
    QHeaderView* header = horizontalHeader();
    sortByStart();
    header->setMinimumSectionSize(36);
    header->setResizeContentsPrecision(50); // rows: a log may have thousands
    setSortingEnabled(true);
    for (const int column : { RunTableModel::Optimizer, RunTableModel::Progress,
             RunTableModel::Seed, RunTableModel::Device, RunTableModel::Note,
             RunTableModel::AccuracyCurve, RunTableModel::AccuracyChange, RunTableModel::LossChange,
             RunTableModel::TimeChange, RunTableModel::MemoryChange })
        setColumnHidden(column, true);
    setLeading(RunTableModel::Time);
    connect(&this->header(), &RunTableHeader::checkClicked, this,
        [this] { checkShown(shownCheck() != Qt::Checked); });
    const auto showChecks = [this] { this->header().setCheckState(shownCheck()); };
    connect(m_runs, &RunTableModel::checkedChanged, this, showChecks);
    connect(m_shown, &QAbstractItemModel::rowsInserted, this, showChecks);
    connect(m_shown, &QAbstractItemModel::rowsRemoved, this, showChecks);
}

// No column: the order that RunSortFilterModel has by itself, live runs first, then the newest.
void RunListView::sortByStart()
{
    horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
}

void RunListView::setGrouping(const RunGrouping& grouping)
{
    m_shown->setGrouping(grouping);
    takeBackWidths();
    if (grouping.isOn())
        for (const int column :
            { RunTableModel::State, RunTableModel::BestAccuracy, RunTableModel::FinalLoss,
                RunTableModel::Time, RunTableModel::Throughput, RunTableModel::PeakMemory })
            if (const int hint = sizeHintForColumn(column);
                !isColumnHidden(column) && hint > columnWidth(column)) {
                m_widened[column] = { columnWidth(column), hint };
                setColumnWidth(column, hint);
            }
    stretchName();
}

// What the user has changed since stays.
void RunListView::takeBackWidths()
{
    for (const auto& [column, widths] : std::exchange(m_widened, {}))
        if (columnWidth(column) == widths.now)
            setColumnWidth(column, widths.before);
}

// All four go; accuracy and loss come by themselves.
void RunListView::showChanges(bool shown)
{
    for (const int column : { RunTableModel::TimeChange, RunTableModel::MemoryChange })
        setColumnHidden(column, isColumnHidden(column) || !shown);
    for (const int column : { RunTableModel::AccuracyChange, RunTableModel::LossChange }) {
        setColumnHidden(column, !shown);
        if (shown)
            resizeColumnToContents(column);
    }
    stretchName();
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

// ---- which runs ------------------------------------------------------------------------------

void RunListView::setRuns(const std::shared_ptr<const std::vector<RunRecord>>& runs)
{
    ensurePolished(); // the font, by which columns are measured, is the style sheet's
    m_runs->setRuns(runs);
    // An empty list has no contents that a width could be taken from.
    if (!m_sized && m_runs->rowCount() > 0)
        sizeColumns();
    makeRoomForTags(*runs);
}

// The first tag finds a column that was as wide as its title, the next one a column for the first.
void RunListView::makeRoomForTags(const std::vector<RunRecord>& runs)
{
    std::size_t tags = 0;
    for (const RunRecord& run : runs)
        tags += run.tags.size();
    const bool isMore = tags > std::exchange(m_tags, tags);
    if (!isMore || isColumnHidden(RunTableModel::Tags))
        return;
    setColumnWidth(RunTableModel::Tags,
        std::max(columnWidth(RunTableModel::Tags), sizeHintForColumn(RunTableModel::Tags)));
    stretchName();
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
        const QModelIndex shown = shownIndexOf(m_runs->run(row).id);
        if (!shown.isValid())
            continue;
        const QModelIndexList selected = selectionModel()->selectedRows();
        if (selected.size() != 1 || selected.front().row() != shown.row())
            showRow(shown.row());
        return;
    }
}

QModelIndex RunListView::shownIndexOf(RunId run) const
{
    if (!m_shown->isMatching(run))
        return {};
    const int row = m_shown->rowOf(run);
    return m_shown->index(row >= 0 ? row : m_shown->groupRowOf(run), RunTableModel::Name);
}

std::vector<RunId> RunListView::selectedRuns() const
{
    QModelIndexList rows = selectionModel()->selectedRows(); // in no order
    std::sort(rows.begin(), rows.end());
    std::vector<RunId> runs;
    std::unordered_set<RunId> added; // a group may be selected together with its runs
    for (const QModelIndex& index : rows)
        for (const RunId run : m_shown->runsAt(index.row()))
            if (added.insert(run).second)
                runs.push_back(run);
    return runs;
}

const RunRecord* RunListView::currentRun() const
{
    const auto selected = selectedRuns();
    return selected.empty() ? nullptr : m_runs->find(selected.front());
}

std::vector<RunId> RunListView::chosenRuns() const
{
    std::vector<RunId> selected = selectedRuns();
    const bool checksCount = !m_actsOnSelection && selected.size() < 2;
    return checksCount && !m_runs->checked().empty() ? m_runs->checked() : selected;
}

// For actions on a whole search, such as an export: nothing needs to be selected first.
std::vector<RunId> RunListView::targetRuns() const
{
    const std::vector<RunId> runs = chosenRuns();
    return runs.empty() ? m_shown->matching() : runs;
}

Qt::CheckState RunListView::shownCheck() const
{
    const std::vector<RunId>& shown = m_shown->matching();
    const std::unordered_set<RunId> checked(m_runs->checked().begin(), m_runs->checked().end());
    const auto count =
        std::count_if(shown.begin(), shown.end(), [&](RunId run) { return checked.contains(run); });
    if (count == 0)
        return Qt::Unchecked;
    return count == static_cast<std::ptrdiff_t>(shown.size()) ? Qt::Checked : Qt::PartiallyChecked;
}

// Runs that the search hides keep their checks.
void RunListView::checkShown(bool checked)
{
    const std::vector<RunId>& shown = m_shown->matching();
    std::vector<RunId> now = m_runs->checked();
    std::erase_if(now, [this](RunId run) { return m_shown->isMatching(run); });
    if (checked)
        now.insert(now.end(), shown.begin(), shown.end());
    m_runs->setChecked(now);
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
    return m_shown->isMatching(run);
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

// The first one is the current one.
void RunListView::showRuns(const std::vector<RunId>& runs)
{
    for (const RunId run : runs)
        m_shown->unfold(run);
    QItemSelection selection;
    for (const RunId run : runs)
        if (const QModelIndex index = shownIndexOf(run); index.isValid())
            selection.select(index, index);
    if (selection.isEmpty())
        return;
    showRow(selection.first().top());
    selectionModel()->select(
        selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
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
    const std::vector<RunId> runs = selectedRuns();
    if (runs.size() != 1)
        return;
    if (m_shown->rowOf(runs.front()) < 0) // it is alone in a group that is folded
        showRuns(runs);
    edit(shownIndexOf(runs.front()));
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
    if (event->modifiers() == Qt::NoModifier && foldByKey(key))
        event->accept();
    else if (key == Qt::Key_Space)
        Q_EMIT checkRequested();
    else if (enter && event->modifiers() == Qt::NoModifier && currentRun() != nullptr)
        Q_EMIT openRequested();
    else
        RunTable::keyPressEvent(event);
}

// As in a tree: Right unfolds the group of the current row, Left folds it, Enter does either. Of a
// run, Left leads to its group.
bool RunListView::foldByKey(int key)
{
    const int row = currentIndex().row();
    if (row < 0 || !m_shown->grouping().isOn())
        return false;
    const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (m_shown->isGroup(row) && (enter || key == Qt::Key_Left || key == Qt::Key_Right)) {
        m_shown->setFolded(row, enter ? !m_shown->isFolded(row) : key == Qt::Key_Left);
        return true;
    }
    if (m_shown->isGroup(row) || key != Qt::Key_Left
        || currentIndex().column() != RunTableModel::Name)
        return false;
    const int group = m_shown->groupRowOf(m_shown->runsAt(row).front());
    if (group >= 0)
        showRow(group);
    return group >= 0;
}

} // namespace accrue
