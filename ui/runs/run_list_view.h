// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_table_model.h"
#include "ui/runs/run_table.h"

#include <QList>
#include <QScopedValueRollback>

#include <memory>
#include <vector>

class QAction;

namespace accrue {

class RunSortFilterModel;

// The runs of the log, with the columns that the user wants: which of them are selected, and which
// an action is about. Follows the newest run until the user selects one. GUI thread.
class RunListView : public RunTable {
    Q_OBJECT
public:
    explicit RunListView(QWidget* parent = nullptr);

    RunTableModel& runs() const { return *m_runs; }
    RunSortFilterModel& shown() const { return *m_shown; }

    void setRuns(const std::shared_ptr<const std::vector<RunRecord>>& runs);
    void forgetRuns(); // another log: its newest run is followed again
    // While the result exists, a change of the selection is caused by the list and does not count
    // as a choice of the user.
    [[nodiscard]] QScopedValueRollback<bool> listChange()
    {
        return QScopedValueRollback<bool>(m_listChanges, true);
    }
    void followNewest(); // unless the user has chosen a run or is renaming one

    std::vector<RunId> selectedRuns() const; // in the order shown
    const RunRecord* currentRun() const; // the first selected one; null: none
    std::vector<RunId> chosenRuns() const; // the checked runs, otherwise the selected ones
    std::vector<RunId> targetRuns() const; // the chosen ones, otherwise all that are shown
    bool isAnyChecked() const; // and counts
    // Checked runs do not count: for the menu of a run that is not checked.
    void setActsOnSelection(bool acts) { m_actsOnSelection = acts; }
    bool isCheckedAt(const QPoint& position) const;
    bool isShown(RunId run) const; // it may be archived, or not match the search
    // How many runs there are, and how many of them are shown and checked; empty: there are none.
    QString countsText() const;

    void showRow(int row); // and nothing else is selected
    void selectAnyRow(); // so that there are details to see and keys to press
    void showRun(RunId run); // that isShown(), by the user's choice
    void toggleChecked(); // of the selected runs
    void rename(); // the selected one, in its row
    bool isRenaming() const;

    void setColumnActions(const QList<QAction*>& actions) { m_columnActions = actions; } // borrowed
    void sortByStart();
    // Returns false if there was nothing to restore.
    bool restoreColumns(const QByteArray& header, bool nameSized);

Q_SIGNALS:
    void selectedRunsChanged();
    void openRequested(); // by Enter or a double click
    void checkRequested(); // by Space

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildHeaders();
    void sizeColumns();
    void showHeaderMenu(const QPoint& position);
    QModelIndex shownIndexOf(RunId run) const; // invalid: it is not shown

    RunTableModel* m_runs;
    RunSortFilterModel* m_shown;
    QList<QAction*> m_columnActions; // in the menu of the headers, below the columns
    bool m_followsNewest = true; // until the user selects a run
    bool m_listChanges = false; // the selection changes because the list does
    bool m_sized = false; // columns fit their contents once
    bool m_actsOnSelection = false;
};

} // namespace accrue
