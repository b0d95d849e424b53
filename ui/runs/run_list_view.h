// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_table_model.h"
#include "ui/rows/shown_runs_model.h"
#include "ui/runs/run_table.h"

#include <QScopedValueRollback>

#include <map>
#include <memory>
#include <vector>

namespace accrue {

class RunCurves;

// The runs of the log, with the columns that the user wants: which of them are selected, and which
// an action is about. Follows the newest run until the user selects one. GUI thread.
class RunListView : public RunTable {
    Q_OBJECT
public:
    explicit RunListView(QWidget* parent = nullptr);

    RunTableModel& runs() const { return *m_runs; }
    ShownRunsModel& shown() const { return *m_shown; }

    void setCurves(RunCurves& curves); // borrowed

    void setRuns(const std::shared_ptr<const std::vector<RunRecord>>& runs);
    void forgetRuns(); // another log: its newest run is followed again
    // While the result exists, a change of the selection is caused by the list and does not count
    // as a choice of the user.
    [[nodiscard]] QScopedValueRollback<bool> listChange()
    {
        return QScopedValueRollback<bool>(m_listChanges, true);
    }
    void followNewest(); // unless the user has chosen a run or is renaming one

    // In the order shown; of a group all its runs.
    std::vector<RunId> selectedRuns() const;
    const RunRecord* currentRun() const; // the first selected one; null: none
    // What actions on several runs are about: the selected runs, if there are several; otherwise
    // the checked ones, or the one that is selected.
    std::vector<RunId> chosenRuns() const;
    std::vector<RunId> targetRuns() const; // the chosen ones, otherwise all that are shown
    // Checked runs do not count: for the menu of a run that is not checked.
    void setActsOnSelection(bool acts) { m_actsOnSelection = acts; }
    bool isCheckedAt(const QPoint& position) const;
    bool isShown(RunId run) const; // it may be archived, or not match the search
    // Of all runs that are shown, those in folded groups included; none are shown: unchecked.
    Qt::CheckState shownCheck() const;
    void checkShown(bool checked);

    void showRow(int row); // and nothing else is selected
    void selectAnyRow(); // so that there are details to see and keys to press
    void showRuns(const std::vector<RunId>& runs); // those that isShown(), by the user's choice
    void toggleChecked(); // of the selected runs
    void rename(); // the selected one, in its row
    bool isRenaming() const;

    void sortByStart();
    void setGrouping(const RunGrouping& grouping); // with space for means and their intervals
    void showChanges(bool shown); // to the baseline, of the results
    // Returns false if there was nothing to restore.
    bool restoreColumns(const QByteArray& header, bool nameSized);

Q_SIGNALS:
    void selectedRunsChanged();
    void openRequested(); // by Enter or a double click
    void tagClicked(const QString& tag);
    void checkRequested(); // by Space

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Widths {
        int before = 0;
        int now = 0;
    };
    void buildHeaders();
    void sizeColumns();
    void takeBackWidths();
    void makeRoomForTags(const std::vector<RunRecord>& runs);
    void buildCells();
    bool foldByKey(int key);
    QModelIndex shownIndexOf(RunId run) const; // or of its folded group; invalid: it is not shown

    RunTableModel* m_runs;
    ShownRunsModel* m_shown;
    bool m_followsNewest = true; // until the user selects a run
    bool m_listChanges = false; // the selection changes because the list does
    bool m_sized = false; // columns fit their contents once
    std::size_t m_tags = 0; // of all runs, for which the column has space
    std::map<int, Widths> m_widened; // columns, for means with their intervals
    bool m_actsOnSelection = false;
};

} // namespace accrue
