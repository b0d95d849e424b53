// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/page.h"
#include "ui/run/run_log_follower.h"

#include <memory>
#include <vector>

class QSplitter;
class QStackedWidget;

namespace accrue {

class CompareCurves;
class CompareExport;
class ComparePeaks;
class ComparePictures;
class CompareTab;
class CompareTable;
class CompareTabs;
class ComparedRuns;
class DrawnTable;
class EquivalenceCard;
class RunSelection;
class SelectionActions;
class TabSwitch;

// Chosen runs side by side, in as many ways as there are tabs. Queries the log only for the visible
// tab. GUI thread.
class ComparePage : public Page {
    Q_OBJECT
public:
    // `follower` is borrowed and outlives the page.
    explicit ComparePage(RunLogFollower& follower, QWidget* parent = nullptr);
    ~ComparePage() override;

    void setRuns(const std::vector<RunId>& runs); // in this order
    const std::vector<RunId>& runs() const { return m_chosen; }

    // For exactly two runs: whether they are the same training. The distance of their parameters is
    // set there.
    EquivalenceCard& equivalence() const { return *m_equivalence; }
    CsvExport* exporter() const override;

    HelpTopic helpTopic() const override { return HelpTopic::Compare; }
    std::vector<KeptState> keptState() override;
    std::vector<KeptRuns> keptRuns() override;
    // What is set up in the tabs, and the splitter. Returns false if `state` is none that saveState
    // returned.
    QByteArray saveState() const;
    bool restoreState(const QByteArray& state);

    ComparedRuns& list() const { return *m_list; }
    RunSelection& selection() const { return *m_selection; } // shared by all tabs
    CompareCurves& curves() const { return *m_curves; }
    CompareTable& table() const { return *m_table; }
    ComparePeaks& peaks() const { return *m_peaks; }
    CompareExport& files() const { return *m_export; } // in which a comparison is saved
    DrawnTable& drawnTable() const { return *m_drawn; }

Q_SIGNALS:
    void runsPageRequested(); // the empty page's button
    void stopRequested(const std::vector<accrue::RunId>& runs); // that are trained now

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void makeActions();
    void fillMenu();
    void layOut();
    QWidget* buildTabs();
    QWidget* buildEmpty();
    void connectParts();

    void setRecords(const std::shared_ptr<const RunList>& runs);
    void goBack(); // to the comparison before
    void showRuns(); // in every part, after the choice or the records changed
    void takeResults();
    void showLooks(); // the runs' groups and colours, in the list and in every tab
    void updateActions();
    void ask(); // queries the follower for what is shown; for nothing while the page is hidden

    RunLogFollower& m_follower;
    RunLogFollower::QueryId m_summaryQuery; // for the table, and which metrics there are
    bool m_seen = false; // shown, and its window not minimised
    std::vector<RunId> m_chosen;
    std::vector<std::vector<RunId>> m_before; // earlier comparisons, the last one at the end
    std::vector<RunRecord> m_records; // of the chosen runs that are in the log, in their order
    CompareExport* m_export;
    RunSelection* m_selection;
    ComparedRuns* m_list = nullptr;
    CompareCurves* m_curves = nullptr;
    CompareTable* m_table = nullptr;
    ComparePeaks* m_peaks = nullptr;
    EquivalenceCard* m_equivalence = nullptr;
    QStackedWidget* m_stack = nullptr;
    QSplitter* m_splitter = nullptr;
    CompareTabs* m_tabs = nullptr;
    ComparePictures* m_pictures = nullptr;
    DrawnTable* m_drawn = nullptr;
    SelectionActions* m_selected = nullptr;
    QAction* m_back = nullptr;
    QAction* m_wholeChart = nullptr; // out of the zoom
    TabSwitch* m_logX = nullptr;
    TabSwitch* m_logY = nullptr;
    TabSwitch* m_hideIdentical = nullptr;
};

} // namespace accrue
