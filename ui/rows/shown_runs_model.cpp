// SPDX-License-Identifier: Apache-2.0
#include "ui/rows/shown_runs_model.h"

#include "engine/runs/run_keys.h"
#include "ui/models/format.h"
#include "ui/rows/group_cells.h"

#include <algorithm>
#include <utility>

// The rows are computed as a whole, whatever has changed: reading, sorting and grouping thousands
// of runs takes milliseconds, and there is one way for all. What differs from the rows before is
// then removed, moved and inserted, so that the view keeps its selection, scroll position and
// editor.

namespace accrue {

ShownRunsModel::ShownRunsModel(RunTableModel& runs, QObject* parent)
    : QAbstractTableModel(parent)
    , m_runs(runs)
{
    connect(&runs, &RunTableModel::updated, this, &ShownRunsModel::refresh);
    connect(&runs, &QAbstractItemModel::dataChanged, this, &ShownRunsModel::forgetChanged);
    connect(&runs, &QAbstractItemModel::columnsAboutToBeInserted, this,
        [this](const QModelIndex&, int first, int last) { beginInsertColumns({}, first, last); });
    connect(&runs, &QAbstractItemModel::columnsInserted, this, [this] { endInsertColumns(); });
    connect(&runs, &QAbstractItemModel::columnsAboutToBeRemoved, this,
        [this](const QModelIndex&, int first, int last) { beginRemoveColumns({}, first, last); });
    connect(&runs, &QAbstractItemModel::columnsRemoved, this, [this] {
        endRemoveColumns();
        if (m_arrangement.column() >= columnCount()) // what it was sorted by
            sort(-1);
    });
    refresh();
}

void ShownRunsModel::setFilter(const RunQuery& filter)
{
    m_arrangement.setFilter(filter);
    refresh();
}

void ShownRunsModel::setArchivedShown(bool shown)
{
    m_arrangement.setArchivedShown(shown);
    refresh();
}

void ShownRunsModel::setGrouping(const RunGrouping& grouping)
{
    m_arrangement.setGrouping(grouping);
    refresh();
}

void ShownRunsModel::sort(int column, Qt::SortOrder order)
{
    const bool known = column >= 0 && column < m_runs.columnCount();
    m_arrangement.sortBy(
        column, known ? m_runs.sortKey(column) : std::string(), order == Qt::AscendingOrder);
    refresh();
}

// ---- which rows there are --------------------------------------------------------------------

// Rows are removed while their groups are still known, and inserted when the new ones are: whoever
// asks in between, because the selection has changed, gets an answer.
void ShownRunsModel::refresh()
{
    ShownContent now = m_arrangement.contentOf(m_runs);
    const std::vector<ShownRow> rows = now.rows;
    std::map<ShownRow, int> places;
    if (rows != m_content.rows) {
        for (std::size_t i = 0; i < rows.size(); ++i)
            places.emplace(rows[i], static_cast<int>(i));
        removeRowsNotIn(places);
    }
    now.rows = std::move(m_content.rows);
    m_content = std::move(now);
    m_cells.clear();
    if (!places.empty()) {
        placeRows(places);
        insertRowsOf(rows);
    }
    if (!m_content.groups.empty()) // their means may have changed
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

// From the last row, so that the numbers of the rows before it stay valid.
void ShownRunsModel::removeRowsNotIn(const std::map<ShownRow, int>& places)
{
    int end = rowCount();
    while (end > 0) {
        int first = end;
        while (first > 0 && !places.contains(rowAt(first - 1)))
            --first;
        if (first < end) {
            beginRemoveRows({}, first, end - 1);
            m_content.rows.erase(m_content.rows.begin() + first, m_content.rows.begin() + end);
            endRemoveRows();
        }
        end = first - 1;
    }
}

// The rows that remain, into the order that they have now.
void ShownRunsModel::placeRows(const std::map<ShownRow, int>& places)
{
    std::vector<std::pair<int, ShownRow>> sorted;
    for (const ShownRow& row : m_content.rows)
        sorted.emplace_back(places.at(row), row);
    const auto comesBefore = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (std::is_sorted(sorted.begin(), sorted.end(), comesBefore))
        return;
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    std::sort(sorted.begin(), sorted.end(), comesBefore);
    std::map<int, int> newRows; // by the place among `places`
    for (std::size_t i = 0; i < sorted.size(); ++i)
        newRows[sorted[i].first] = static_cast<int>(i);
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    for (const QModelIndex& old : before)
        after.append(index(newRows.at(places.at(rowAt(old.row()))), old.column()));
    for (std::size_t i = 0; i < sorted.size(); ++i)
        m_content.rows[i] = sorted[i].second;
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

// In blocks of adjacent new rows, so that a first list is one insertion.
void ShownRunsModel::insertRowsOf(const std::vector<ShownRow>& now)
{
    std::size_t row = 0;
    while (row < now.size()) {
        std::size_t end = row;
        // The rest of m_content.rows is what is left of `now`, in its order.
        while (
            end < now.size() && (row >= m_content.rows.size() || now[end] != m_content.rows[row]))
            ++end;
        if (end > row) {
            beginInsertRows({}, static_cast<int>(row), static_cast<int>(end - 1));
            m_content.rows.insert(m_content.rows.begin() + static_cast<std::ptrdiff_t>(row),
                now.begin() + static_cast<std::ptrdiff_t>(row),
                now.begin() + static_cast<std::ptrdiff_t>(end));
            endInsertRows();
        }
        row = end + 1;
    }
}

// A group key is read again only if the run has changed, not if it was checked.
void ShownRunsModel::forgetChanged(
    const QModelIndex& first, const QModelIndex& last, const QList<int>& roles)
{
    if (roles.isEmpty())
        for (int row = first.row(); row <= last.row(); ++row)
            m_arrangement.forget(m_runs.run(row).id);
    if (rowCount() == 0)
        return;
    if (first.row() == 0 && last.row() == m_runs.rowCount() - 1) { // as a check does
        Q_EMIT dataChanged(index(0, first.column()), index(rowCount() - 1, last.column()), roles);
        return;
    }
    for (int row = 0; row < rowCount(); ++row) {
        const std::optional<RunId>& run = rowAt(row).run;
        const int source = run ? m_runs.rowOf(*run) : -1;
        if (source >= first.row() && source <= last.row())
            Q_EMIT dataChanged(index(row, first.column()), index(row, last.column()), roles);
    }
}

// ---- runs and groups -------------------------------------------------------------------------

int ShownRunsModel::rowOf(RunId run) const
{
    const auto found = std::find_if(m_content.rows.begin(), m_content.rows.end(),
        [run](const ShownRow& row) { return row.run == run; });
    return found == m_content.rows.end() ? -1 : static_cast<int>(found - m_content.rows.begin());
}

std::vector<RunId> ShownRunsModel::runsAt(int row) const
{
    const ShownRow& at = rowAt(row);
    return at.run ? std::vector { *at.run } : m_content.groups.at(at.group);
}

int ShownRunsModel::groupRowOf(RunId run) const
{
    const auto group = m_content.groupOf.find(run);
    if (group == m_content.groupOf.end() || !m_content.groups.contains(group->second))
        return -1;
    const ShownRow row { std::nullopt, group->second };
    return static_cast<int>(
        std::find(m_content.rows.begin(), m_content.rows.end(), row) - m_content.rows.begin());
}

bool ShownRunsModel::isFolded(int row) const
{
    return isGroup(row) && m_arrangement.isFolded(rowAt(row).group);
}

void ShownRunsModel::setFolded(int row, bool folded)
{
    if (!isGroup(row) || folded == isFolded(row))
        return;
    m_arrangement.setFolded(rowAt(row).group, folded);
    refresh();
}

void ShownRunsModel::foldAll(bool folded)
{
    for (const auto& [group, members] : m_content.groups)
        m_arrangement.setFolded(group, folded);
    refresh();
}

void ShownRunsModel::unfold(RunId run)
{
    if (const int row = groupRowOf(run); row >= 0)
        setFolded(row, false);
}

// ---- cells -----------------------------------------------------------------------------------

int ShownRunsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_content.rows.size());
}

int ShownRunsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_runs.columnCount();
}

QVariant ShownRunsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const ShownRow& row = rowAt(index.row());
    if (!row.run)
        return dataOfGroup(row.group, index.column(), role);
    if (role == RunTableModel::LevelRole)
        return row.group != 0 ? 2 : grouping().isOn() ? 1 : 0;
    const int source = m_runs.rowOf(*row.run);
    return source < 0 ? QVariant() : m_runs.index(source, index.column()).data(role);
}

QVariant ShownRunsModel::dataOfGroup(int number, int column, int role) const
{
    const auto group = m_content.groups.find(number);
    if (group == m_content.groups.end())
        return {};
    switch (role) {
    case RunTableModel::GroupRole:
        return true;
    case RunTableModel::LevelRole:
        return 1;
    case RunTableModel::FoldedRole:
        return m_arrangement.isFolded(number);
    case Qt::CheckStateRole:
        return column == RunTableModel::Name ? QVariant(checkOf(m_runs, group->second))
                                             : QVariant();
    case Qt::TextAlignmentRole:
        return m_runs.headerData(column, Qt::Horizontal, role);
    default:
        break;
    }
    const auto [cell, isNew] = m_cells.try_emplace({ number, column, role });
    if (isNew)
        cell->second = cellOf(group->second, column, role);
    return cell->second;
}

QVariant ShownRunsModel::cellOf(const std::vector<RunId>& members, int column, int role) const
{
    if (m_runs.find(members.front()) == nullptr)
        return {};
    const bool isName = column == RunTableModel::Name;
    switch (role) {
    case Qt::DisplayRole:
        return isName ? groupTitle(m_runs, members, grouping())
                      : groupText(m_runs, members, column);
    case Qt::ToolTipRole:
        return isName ? tr("%1: %2 runs")
                            .arg(groupTitle(m_runs, members, grouping()),
                                countText(static_cast<std::int64_t>(members.size())))
                      : groupTip(m_runs, members, column);
    case RunTableModel::VariantRole:
        return isName ? QVariant(groupDetail(m_runs, members, grouping())) : QVariant();
    case RunTableModel::TagsRole:
        return groupText(m_runs, members, RunTableModel::Tags)
            .split(QStringLiteral(", "), Qt::SkipEmptyParts);
    case RunTableModel::BetterRole:
        return isGroupBetter(m_runs, members, column);
    default:
        return {};
    }
}

bool ShownRunsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid())
        return false;
    const ShownRow row = rowAt(index.row());
    if (row.run)
        return m_runs.setData(m_runs.index(m_runs.rowOf(*row.run), index.column()), value, role);
    if (role != Qt::CheckStateRole)
        return false;
    // A click on a partly checked box checks all.
    toggleChecks(m_runs, m_content.groups.at(row.group));
    return true;
}

QVariant ShownRunsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return m_runs.headerData(section, orientation, role);
}

Qt::ItemFlags ShownRunsModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const ShownRow& row = rowAt(index.row());
    if (row.run)
        return m_runs.flags(m_runs.index(m_runs.rowOf(*row.run), index.column()));
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == RunTableModel::Name)
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

} // namespace accrue
