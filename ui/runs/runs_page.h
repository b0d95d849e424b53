// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/page.h"
#include "ui/models/run_table_model.h"
#include "ui/run/run_log_follower.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace accrue {

class ColumnMenu;
class CountsLine;
class RunActions;
class RunCurves;
class RunDetailsPane;
class RunExport;
class RunListView;
class RunSearch;
class RunsBar;
class RunsStack;
class ShownRunsModel;
class TableState;
class TableViews;

// All runs of the log. The page only reads the log: changes are requested by signals of the page
// and of its actions, and visible here when the follower reads them back. GUI thread.
class RunsPage : public Page {
    Q_OBJECT
public:
    // `follower` is borrowed and outlives the page.
    explicit RunsPage(RunLogFollower& follower, QWidget* parent = nullptr);
    ~RunsPage() override;

    RunTableModel& model() const;
    RunActions& runActions() const { return *m_runActions; } // and what they request
    std::vector<RunId> checkedRuns() const { return model().checked(); }
    std::vector<RunId> selectedRuns() const; // in the order shown
    void selectRun(RunId run) { selectRuns({ run }); }
    void selectRuns(const std::vector<RunId>& runs); // clearing a filter that hides one of them
    TableViews& views() const { return *m_views; } // named states of the table
    // The run that others are compared with; empty: none.
    void setBaseline(std::optional<RunId> run);

    // Parts that the window adds: the queue above the table, and what takes the place of the table
    // while it is shown.
    void place(QWidget& queue, QWidget& drawer);
    void showDrawer(bool shown);

    RunExport& files() const { return *m_export; } // which runs are exported to
    CsvExport* exporter() const override;

    HelpTopic helpTopic() const override { return HelpTopic::Runs; }
    std::vector<KeptState> keptState() override;
    std::vector<KeptRuns> keptRuns() override;
    void setWhyNotWrite(const QString& why) override;
    // Columns, sorting, groups, splitter, search. Returns false if `state` is none that saveState
    // returned.
    QByteArray saveState() const;
    bool restoreState(const QByteArray& state);

public Q_SLOTS:
    // Something that this page requested could not be written: a notice reports it, and the table
    // shows again what the log holds.
    void showFailedChange(const QString& problem);

Q_SIGNALS:
    void renameRequested(accrue::RunId run, const QString& name);
    void noteRequested(accrue::RunId run, const QString& note);
    void trainRequested(); // the empty page's button
    void baselineChanged(std::optional<accrue::RunId> run);

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

    void setRuns(const std::shared_ptr<const RunList>& runs);
    void forgetLog();
    void changeShown(const std::function<void(ShownRunsModel&)>& change); // which runs are
    void showContent(); // table, empty page, or that nothing matches; and how many runs
    void showSelection(); // in the details and the actions
    void updateActions();
    void showTableMenu(const QPoint& position);

    RunLogFollower& m_follower;
    RunListView* m_list;
    RunCurves* m_curves;
    RunActions* m_runActions;
    RunExport* m_export;
    RunsBar* m_bar = nullptr;
    RunSearch* m_search = nullptr; // in the bar
    RunDetailsPane* m_details = nullptr;
    RunsStack* m_stack = nullptr;
    CountsLine* m_count = nullptr;
    ColumnMenu* m_columns = nullptr;
    TableViews* m_views = nullptr;
    std::unique_ptr<TableState> m_tableState;
    QWidget* m_drawer = nullptr; // of the window
    QString m_logProblem; // the log cannot be read
    QAction* m_find = nullptr; // gives the search the focus
    QAction* m_showArchived = nullptr;
    QAction* m_showDetails = nullptr;
    QAction* m_chooseGroups = nullptr;
    QAction* m_chooseView = nullptr;
    QAction* m_checkShown = nullptr;
    QAction* m_fitColumns = nullptr;
    QAction* m_sortByStart = nullptr;
    bool m_detailsChosen = false; // by the user; before that, they are shown if there is space
};

} // namespace accrue
