// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

class QAction;

namespace accrue {

class GroupButton;
class RunListView;
class RunSearch;

// How the table of runs is shown: its columns with their order, widths and sorting, the search, the
// groups, and whether archived runs are shown. Stored for the next start, and as a named view. GUI
// thread.
class TableState {
public:
    // All are borrowed and outlive this.
    TableState(RunListView& list, RunSearch& search, GroupButton& groups, QAction& showArchived);

    QByteArray save() const;
    // Returns false, and changes nothing, if `state` is none that save() returned.
    bool restore(const QByteArray& state) const;

private:
    RunListView& m_list;
    RunSearch& m_search;
    GroupButton& m_groups;
    QAction& m_showArchived;
};

} // namespace accrue
