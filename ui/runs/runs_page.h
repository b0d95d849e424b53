// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/page.h"
#include "ui/models/run_table_model.h"
#include "ui/run/run_log_follower.h"

#include <functional>
#include <memory>
#include <vector>

class QLabel;

namespace accrue {

class RunActions;
class RunDetailsPane;
class RunExport;
class RunListView;
class RunSearch;
class RunSortFilterModel;
class RunsBar;
class RunsStack;

// All runs of the log. The page only reads the log: changes are requested by signals of the page
// and of its actions, and visible here when the follower reads them back. GUI thread.
class RunsPage : public Page {
    Q_OBJECT
public:
    // `follower` is borrowed and outlives the page.
    explicit RunsPage(RunLogFollower& follower, QWidget* parent = nullptr);

    RunTableModel& model() const;
    RunActions& runActions() const { return *m_runActions; } // and what they request
    std::vector<RunId> checkedRuns() const { return model().checked(); }
    std::vector<RunId> selectedRuns() const; // in the order shown
    void selectRun(RunId run); // shows it, clearing a filter that hides it

    RunExport& files() const { return *m_export; } // which runs are exported to
    CsvExport* exporter() const override;

    HelpTopic helpTopic() const override { return HelpTopic::Runs; }
    std::vector<KeptState> keptState() override;
    std::vector<KeptRuns> keptRuns() override;
    void setWhyNotWrite(const QString& why) override;
    // Columns, sorting, splitter, search. Returns false if `state` is none that saveState returned.
    QByteArray saveState() const;
    bool restoreState(const QByteArray& state);

public Q_SLOTS:
    // Something that this page requested could not be written: a notice reports it, and the table
    // shows again what the log holds.
    void showFailedChange(const QString& problem);
    void showNote(const QString& note); // something that was done for this page

Q_SIGNALS:
    void renameRequested(accrue::RunId run, const QString& name);
    void noteRequested(accrue::RunId run, const QString& note);
    void trainRequested(); // the empty page's button

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeViewActions();
    void fillMenus();
    void layOut();
    QWidget* buildLine(); // below the search
    void connectList();
    void connectRequests();
    void connectFollower();

    void forgetLogProblem();
    void setRuns(const std::shared_ptr<const RunList>& runs);
    void forgetLog();
    void changeShown(const std::function<void(RunSortFilterModel&)>& change); // which runs are
    void showContent(); // table, empty page, or that nothing matches; and how many runs
    void showSelection(); // in the details and the actions
    void updateActions();
    void showTableMenu(const QPoint& position);

    RunLogFollower& m_follower;
    RunListView* m_list;
    RunActions* m_runActions;
    RunExport* m_export;
    RunsBar* m_bar = nullptr;
    RunSearch* m_search = nullptr; // in the bar
    RunDetailsPane* m_details = nullptr;
    RunsStack* m_stack = nullptr;
    QLabel* m_count = nullptr;
    QString m_logProblem; // the log cannot be read
    QAction* m_find = nullptr; // gives the search the focus
    QAction* m_showArchived = nullptr;
    QAction* m_showDetails = nullptr;
    QAction* m_fitColumns = nullptr;
    QAction* m_sortByStart = nullptr;
    bool m_detailsChosen = false; // by the user; before that, they are shown if there is space
};

} // namespace accrue
