// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_sort_filter_model.h"

#include "ui/models/run_columns.h"
#include "ui/models/run_table_model.h"

#include <utility>

namespace accrue {

RunSortFilterModel::RunSortFilterModel(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setDynamicSortFilter(true);
    // Sorted from the start: a proxy that was never sorted has the order of its source.
    sort(-1);
}

void RunSortFilterModel::setFilter(const RunQuery& filter)
{
    m_filter = filter;
    invalidateFilter();
}

void RunSortFilterModel::setArchivedShown(bool shown)
{
    m_archivedShown = shown;
    invalidateFilter();
}

void RunSortFilterModel::sort(int column, Qt::SortOrder order)
{
    // For -1 the proxy would restore the order of its source; here -1 is a sort order, too.
    m_order.reset();
    if (column >= 0)
        m_order.emplace(
            runColumns()[static_cast<std::size_t>(column)].key, order == Qt::AscendingOrder);
    // Without a column, any column may be passed to Qt: lessThan follows m_order, and descending
    // order puts live and newest runs first.
    if (m_order)
        QSortFilterProxyModel::sort(column, order);
    else
        QSortFilterProxyModel::sort(RunTableModel::Id, Qt::DescendingOrder);
    // Qt ignores a sort by the same column and direction, but the order may be another one now:
    // without a column, Qt is passed Id as well.
    invalidate();
}

bool RunSortFilterModel::filterAcceptsRow(int row, const QModelIndex&) const
{
    const RunRecord& run = static_cast<const RunTableModel*>(sourceModel())->run(row);
    return (m_archivedShown || !run.archived) && m_filter.matches(run);
}

// Without a column, a live run is above newer ones that have ended: it is what users look for
// first.
bool RunSortFilterModel::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const auto* runs = static_cast<const RunTableModel*>(sourceModel());
    // In descending order the proxy swaps the two arguments; comesBefore() expects them unswapped.
    const bool swapped = m_order && sortOrder() == Qt::DescendingOrder;
    const RunRecord& first = runs->run(swapped ? right.row() : left.row());
    const RunRecord& second = runs->run(swapped ? left.row() : right.row());
    return m_order ? m_order->comesBefore(first, second)
                   : std::pair(isLive(first), first.id) < std::pair(isLive(second), second.id);
}

} // namespace accrue
