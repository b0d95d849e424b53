// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/equivalence_check.h"
#include "ui/run/run_log_follower.h"

#include <QWidget>

#include <filesystem>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

QT_BEGIN_NAMESPACE
class QAction;
class QCheckBox;
class QComboBox;
class QFrame;
class QLabel;
class QListView;
class QSlider;
class QSplitter;
class QStackedWidget;
class QTableView;
class QTabWidget;
QT_END_NAMESPACE

namespace accrue {

class ChosenRunsModel;
class ComparisonTableModel;
class CsvExport;
class MetricChart;

// Chosen runs side by side: curves over each other, a table of what differs, and their peaks of
// memory over a setting. GUI thread.
class ComparePage : public QWidget {
    Q_OBJECT
public:
    // `follower` is borrowed and outlives the page.
    explicit ComparePage(RunLogFollower& follower, QWidget* parent = nullptr);
    ~ComparePage() override;

    void setRuns(const std::vector<RunId>& runs); // in this order
    const std::vector<RunId>& runs() const { return m_chosen; }
    std::vector<RunId> selectedRuns() const; // in the list
    void selectRuns(const std::vector<RunId>& runs);

    // For menus and the command palette; enabled exactly when there is something to export.
    QAction* exportTableAction() const { return m_exportTable; }
    QAction* exportSeriesAction() const { return m_exportSeries; }
    QAction* savePictureAction() const { return m_savePicture; }
    QAction* removeAction() const { return m_remove; } // the runs selected in the list
    QAction* wholeChartAction() const { return m_wholeChart; } // out of the zoom
    QAction* logXAction() const { return m_logXAction; }
    QAction* logYAction() const { return m_logYAction; }
    QAction* hideIdenticalAction() const { return m_hideAction; }
    bool isExporting() const; // a CSV file is being written
    // Of exactly two runs: whether they are one training. What measures their parameters is set
    // there.
    EquivalenceCheck& equivalence() { return m_equivalence; }
    CsvExport& exporter() const { return *m_csv; }
    // Without asking where. Must not block; ignored while a CSV file is being written.
    void exportTableTo(const QString& path);
    void exportSeriesTo(const QString& path);
    void savePictureTo(const QString& chosen); // SVG, or PNG by its ending

    QByteArray saveState() const; // metric, axis, smoothing, setting, splitter
    bool restoreState(const QByteArray& state);

    MetricChart* chart() const { return m_chart; }
    MetricChart* peaks() const { return m_peaks; } // of memory, over a setting
    QComboBox* peakSettingBox() const { return m_peakSetting; }
    ComparisonTableModel* table() const { return m_tableModel; }

Q_SIGNALS:
    void runsChosen(const std::vector<accrue::RunId>& runs); // one was removed here
    void runsPageRequested(); // the empty page's button

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildEmpty();
    QWidget* buildChosen();
    void buildChoices(QWidget* parent); // what is drawn, and how
    QLayout* buildCurvesBar(QWidget* parent);
    QWidget* buildCurves();
    QWidget* buildTable();
    QWidget* buildPeaks();
    QWidget* buildExports();
    QFrame* buildEquivalence();
    void buildComparison(QWidget* parent);
    void tie(QCheckBox* box, QAction* action); // each follows the other
    QAction* addShortcut(QAction* action, const QString& tip, const QString& keys);
    QAction* makeSwitch(
        QCheckBox* box, const QString& text, const QString& tip, const QString& keys);
    void buildActions();
    void buildSwitches(); // the check boxes as actions
    void updateChartActions();
    void resetZoom();
    void setRecords(const std::shared_ptr<const RunList>& runs);
    void remove(RunId run);
    void removeSelected();
    void showListMenu(const QPoint& position);
    void askAndExport(
        const QString& title, const QString& name, void (ComparePage::*save)(const QString& path));
    void ask(); // the follower, for what is shown; for nothing while the page is hidden
    void askEquivalence();
    void showEquivalence(const EquivalenceAnswer& answer);
    void reserveEquivalence(); // its room, before there is an answer
    void receive(int query, const std::shared_ptr<const SeriesBatch>& batch);
    void drawCurves();
    void drawPeaks();
    void peakAxesChanged(); // another setting or choice of runs
    MetricChart& shownChart() const; // of the tab that is shown, or of the curves
    void axesChanged(); // another metric, axis or choice of runs
    void showSmoothing();
    void updateExportActions();
    void updateRuns(); // lists and tables, after the choice or the records changed
    std::vector<RunId> shownRuns() const; // the chosen ones that are in the log
    void exportTable();
    void exportSeries();
    void savePicture();
    double smoothing() const;
    std::string shownMetric() const;
    Axis axis() const;

    RunLogFollower& m_follower;
    RunLogFollower::QueryId m_curvesQuery;
    RunLogFollower::QueryId m_tableQuery;
    bool m_seen = false; // shown, and its window not minimised
    std::vector<RunId> m_chosen;
    std::vector<RunRecord> m_records; // of the chosen runs that are in the log, in their order
    std::shared_ptr<const SeriesBatch> m_batch; // last answer for the curves
    ChosenRunsModel* m_runsModel;
    ComparisonTableModel* m_tableModel;
    QStackedWidget* m_stack = nullptr;
    QSplitter* m_splitter = nullptr;
    QListView* m_list = nullptr;
    QTabWidget* m_tabs = nullptr;
    MetricChart* m_chart = nullptr;
    QComboBox* m_metric = nullptr;
    QComboBox* m_axis = nullptr;
    QSlider* m_smoothing = nullptr;
    QLabel* m_smoothingText = nullptr;
    QCheckBox* m_logX = nullptr;
    QCheckBox* m_logY = nullptr;
    QCheckBox* m_hideIdentical = nullptr;
    QTableView* m_table = nullptr;
    MetricChart* m_peaks = nullptr;
    QComboBox* m_peakSetting = nullptr;
    QCheckBox* m_peaksLogY = nullptr; // the same switch as m_logY
    EquivalenceCheck m_equivalence;
    bool m_equivalenceAsked = false; // of the two runs as they are now
    // What its text is about: two runs of a log.
    std::optional<std::tuple<std::filesystem::path, RunId, RunId>> m_equivalenceOf;
    QFrame* m_equivalenceCard = nullptr; // hidden unless there are two
    QLabel* m_equivalenceText = nullptr;
    QLabel* m_equivalenceWhy = nullptr;
    CsvExport* m_csv = nullptr;
    QAction* m_exportTable = nullptr;
    QAction* m_exportSeries = nullptr;
    QAction* m_savePicture = nullptr;
    QAction* m_remove = nullptr;
    QAction* m_wholeChart = nullptr;
    QAction* m_logXAction = nullptr;
    QAction* m_logYAction = nullptr;
    QAction* m_hideAction = nullptr;
};

} // namespace accrue
