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
        if (m_column >= columnCount()) // what it was sorted by
            m_order.reset();
        endRemoveColumns();
    });
    refresh();
}

void ShownRunsModel::setFilter(const RunQuery& filter)
{
    m_filter = filter;
    refresh();
}

void ShownRunsModel::setArchivedShown(bool shown)
{
    m_archivedShown = shown;
    refresh();
}

void ShownRunsModel::setGrouping(const RunGrouping& grouping)
{
    m_grouping = grouping;
    m_numbers.clear();
    m_known.clear();
    m_unfolded.clear();
    refresh();
}

void ShownRunsModel::sort(int column, Qt::SortOrder order)
{
    m_column = column;
    m_rising = order == Qt::AscendingOrder;
    m_order.reset();
    if (column >= 0 && column < m_runs.columnCount())
        m_order.emplace(m_runs.sortKey(column), m_rising);
    refresh();
}

// ---- which rows there are --------------------------------------------------------------------

// Without a column, a live run is above newer ones that have ended: it is what users look for
// first.
std::vector<const RunRecord*> ShownRunsModel::ordered() const
{
    std::vector<const RunRecord*> runs;
    for (int row = 0; row < m_runs.rowCount(); ++row)
        if (const RunRecord& run = m_runs.run(row);
            (m_archivedShown || !run.archived) && m_filter.matches(run))
            runs.push_back(&run);
    if (m_order)
        m_order->sort(runs);
    else
        std::stable_sort(
            runs.begin(), runs.end(), [](const RunRecord* first, const RunRecord* second) {
                return std::pair(isLive(*first), first->id)
                    > std::pair(isLive(*second), second->id);
            });
    return runs;
}

int ShownRunsModel::groupOf(const RunRecord& run)
{
    const auto [found, isNew] = m_known.try_emplace(run.id);
    if (isNew) {
        const int next = static_cast<int>(m_numbers.size()) + 1;
        found->second = m_numbers.try_emplace(m_grouping.groupOf(run), next).first->second;
    }
    return found->second;
}

// By their mean, if the table is sorted by numbers; otherwise as their first runs are. Groups
// without a value come last, as runs do.
void ShownRunsModel::orderGroups(std::vector<int>& groups, const Content& content) const
{
    if (!m_order)
        return;
    std::unordered_map<int, std::optional<double>> means;
    for (const int group : groups)
        means[group] = groupMean(m_runs, content.groups.at(group).members, m_column);
    std::stable_sort(groups.begin(), groups.end(), [&](int first, int second) {
        const std::optional<double>& a = means[first];
        const std::optional<double>& b = means[second];
        if (!a || !b)
            return a.has_value() && !b;
        return m_rising ? *a < *b : *b < *a;
    });
}

// Into groups; returns these in the order of their first runs.
std::vector<int> ShownRunsModel::assign(const std::vector<const RunRecord*>& runs, Content& content)
{
    std::vector<int> groups;
    for (const RunRecord* run : runs) {
        int& group = content.groupOf[run->id];
        if (!m_grouping.isOn())
            continue;
        group = groupOf(*run);
        Group& all = content.groups[group];
        if (all.members.empty())
            groups.push_back(group);
        all.members.push_back(run->id);
    }
    return groups;
}

void ShownRunsModel::addRowsOf(int group, Content& content) const
{
    const std::vector<RunId> members = content.groups.at(group).members;
    content.matching.insert(content.matching.end(), members.begin(), members.end());
    if (members.size() == 1 && !m_grouping.showsSingles()) {
        content.groups.erase(group);
        content.groupOf[members.front()] = 0;
        content.rows.push_back({ members.front() });
        return;
    }
    content.rows.push_back({ std::nullopt, group });
    if (m_unfolded.contains(group))
        for (const RunId run : members)
            content.rows.push_back({ run, group });
}

ShownRunsModel::Content ShownRunsModel::contentNow()
{
    const std::vector<const RunRecord*> runs = ordered();
    Content content;
    std::vector<int> groups = assign(runs, content);
    orderGroups(groups, content);
    for (const int group : groups)
        addRowsOf(group, content);
    if (m_grouping.isOn())
        return content;
    for (const RunRecord* run : runs) {
        content.matching.push_back(run->id);
        content.rows.push_back({ run->id });
    }
    return content;
}

// Rows are removed while their groups are still known, and inserted when the new ones are: whoever
// asks in between, because the selection has changed, gets an answer.
void ShownRunsModel::refresh()
{
    Content now = contentNow();
    const std::vector<Row> rows = now.rows;
    std::map<Row, int> places;
    if (rows != m_content.rows) {
        for (std::size_t i = 0; i < rows.size(); ++i)
            places.emplace(rows[i], static_cast<int>(i));
        removeRowsNotIn(places);
    }
    now.rows = std::move(m_content.rows);
    m_content = std::move(now);
    if (!places.empty()) {
        moveRows(places);
        insertRowsOf(rows);
    }
    if (!m_content.groups.empty()) // their means may have changed
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

// From the last row, so that the numbers of the rows before it stay valid.
void ShownRunsModel::removeRowsNotIn(const std::map<Row, int>& places)
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
void ShownRunsModel::moveRows(const std::map<Row, int>& places)
{
    std::vector<std::pair<int, Row>> sorted;
    for (const Row& row : m_content.rows)
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
        m_content.rows[i] = std::move(sorted[i].second);
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

// In blocks of adjacent new rows, so that a first list is one insertion.
void ShownRunsModel::insertRowsOf(const std::vector<Row>& now)
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
            m_known.erase(m_runs.run(row).id);
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
        [run](const Row& row) { return row.run == run; });
    return found == m_content.rows.end() ? -1 : static_cast<int>(found - m_content.rows.begin());
}

std::vector<RunId> ShownRunsModel::runsAt(int row) const
{
    const Row& at = rowAt(row);
    return at.run ? std::vector { *at.run } : m_content.groups.at(at.group).members;
}

int ShownRunsModel::groupRowOf(RunId run) const
{
    const auto group = m_content.groupOf.find(run);
    if (group == m_content.groupOf.end() || !m_content.groups.contains(group->second))
        return -1;
    const Row row { std::nullopt, group->second };
    return static_cast<int>(
        std::find(m_content.rows.begin(), m_content.rows.end(), row) - m_content.rows.begin());
}

bool ShownRunsModel::isFolded(int row) const
{
    return isGroup(row) && !m_unfolded.contains(rowAt(row).group);
}

void ShownRunsModel::setFolded(int row, bool folded)
{
    const int group = rowAt(row).group;
    if (!isGroup(row) || folded == isFolded(row))
        return;
    if (folded)
        m_unfolded.erase(group);
    else
        m_unfolded.insert(group);
    refresh();
}

void ShownRunsModel::foldAll(bool folded)
{
    m_unfolded.clear();
    if (!folded)
        for (const auto& [key, group] : m_content.groups)
            m_unfolded.insert(key);
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
    const Row& row = rowAt(index.row());
    if (!row.run)
        return dataOfGroup(row, index.column(), role);
    if (role == RunTableModel::LevelRole)
        return row.group != 0 ? 2 : m_grouping.isOn() ? 1 : 0;
    const int source = m_runs.rowOf(*row.run);
    return source < 0 ? QVariant() : m_runs.index(source, index.column()).data(role);
}

QVariant ShownRunsModel::dataOfGroup(const Row& row, int column, int role) const
{
    const auto found = m_content.groups.find(row.group);
    if (found == m_content.groups.end())
        return {};
    Group& group = found->second;
    switch (role) {
    case RunTableModel::GroupRole:
        return true;
    case RunTableModel::LevelRole:
        return 1;
    case RunTableModel::FoldedRole:
        return !m_unfolded.contains(row.group);
    case Qt::CheckStateRole:
        return column == RunTableModel::Name ? QVariant(checkOf(group)) : QVariant();
    case Qt::TextAlignmentRole:
        return m_runs.headerData(column, Qt::Horizontal, role);
    default:
        break;
    }
    const auto [cell, isNew] = group.cells.try_emplace({ column, role });
    if (isNew)
        cell->second = cellOf(group, column, role);
    return cell->second;
}

QVariant ShownRunsModel::cellOf(const Group& group, int column, int role) const
{
    const RunRecord* const first = m_runs.find(group.members.front());
    if (first == nullptr)
        return {};
    const bool isName = column == RunTableModel::Name;
    const QString count = countText(static_cast<std::int64_t>(group.members.size()));
    switch (role) {
    case Qt::DisplayRole:
        return isName ? m_grouping.titleOf(*first) : groupText(m_runs, group.members, column);
    case Qt::ToolTipRole:
        return isName ? tr("%1: %2 runs").arg(m_grouping.titleOf(*first), count)
                      : groupTip(m_runs, group.members, column);
    case RunTableModel::VariantRole:
        if (!isName)
            return {};
        return countsOf(group);
    case RunTableModel::TagsRole:
        return groupText(m_runs, group.members, RunTableModel::Tags)
            .split(QStringLiteral(", "), Qt::SkipEmptyParts);
    case RunTableModel::BetterRole:
        return isGroupBetter(m_runs, group.members, column);
    default:
        return {};
    }
}

// A run that ended before its length counts in the means like any other, and is marked.
QString ShownRunsModel::countsOf(const Group& group) const
{
    const QString count = countText(static_cast<std::int64_t>(group.members.size()));
    const QString text =
        m_grouping.isBySeeds() ? tr("%1 seeds").arg(count) : tr("n = %1").arg(count);
    const auto early = std::count_if(group.members.begin(), group.members.end(), [this](RunId id) {
        const RunRecord* const run = m_runs.find(id);
        return run != nullptr && run->early != EarlyEnd::None;
    });
    const QString marked =
        early == 0 ? text : tr("%1 · %2 ended early").arg(text, countText(early));
    const QString variant = m_grouping.isBySeeds() ? variantOf(group) : QString();
    return variant.isEmpty() ? marked : tr("%1 · %2").arg(marked, variant);
}

// What tells the group from others of its name: that of its first run, without its seed.
QString ShownRunsModel::variantOf(const Group& group) const
{
    const QModelIndex name = m_runs.index(m_runs.rowOf(group.members.front()), RunTableModel::Name);
    QStringList parts = name.data(RunTableModel::VariantRole)
                            .toString()
                            .split(QStringLiteral(", "), Qt::SkipEmptyParts);
    parts.removeIf([](const QString& part) { return part.startsWith(QLatin1String("seed=")); });
    return parts.join(QStringLiteral(", "));
}

Qt::CheckState ShownRunsModel::checkOf(const Group& group) const
{
    const auto checked = std::count_if(group.members.begin(), group.members.end(),
        [this](RunId run) { return m_runs.isChecked(run); });
    if (checked == 0)
        return Qt::Unchecked;
    return checked == static_cast<std::ptrdiff_t>(group.members.size()) ? Qt::Checked
                                                                        : Qt::PartiallyChecked;
}

void ShownRunsModel::checkGroup(const Group& group, bool checked)
{
    std::vector<RunId> now = m_runs.checked();
    for (const RunId run : group.members) {
        std::erase(now, run);
        if (checked)
            now.push_back(run);
    }
    m_runs.setChecked(now);
}

bool ShownRunsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid())
        return false;
    const Row row = rowAt(index.row());
    if (row.run)
        return m_runs.setData(m_runs.index(m_runs.rowOf(*row.run), index.column()), value, role);
    if (role != Qt::CheckStateRole)
        return false;
    // A click on a partly checked box checks all.
    checkGroup(
        m_content.groups.at(row.group), checkOf(m_content.groups.at(row.group)) != Qt::Checked);
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
    const Row& row = rowAt(index.row());
    if (row.run)
        return m_runs.flags(m_runs.index(m_runs.rowOf(*row.run), index.column()));
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == RunTableModel::Name)
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

} // namespace accrue
