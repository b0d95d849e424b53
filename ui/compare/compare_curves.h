// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/metric_chart.h"
#include "ui/compare/compare_tab.h"
#include "ui/curves/grid_settings.h"
#include "ui/curves/run_curves.h"
#include "ui/run/run_log_follower.h"

#include <set>
#include <string>
#include <vector>

namespace accrue {

class ChartChoice;
class ChoicePanel;
class CurveBar;
class CurveGrid;
class RunSelection;

// The curves of the compared runs: a grid of charts, and the bar that sets what all of them share.
// GUI thread.
class CompareCurves : public CompareTab {
    Q_OBJECT
public:
    // Both are borrowed and outlive this.
    CompareCurves(RunLogFollower& follower, RunSelection& selection, QWidget* parent = nullptr);

    void setRuns(const std::vector<RunRecord>& runs, Background background) override;
    void setSummaries(const std::vector<RunSummaries>& summaries) override; // which metrics exist
    void setGroups(const std::vector<CurveGroup>& groups) override;
    void setAsking(bool asking) override;
    void reset() override;
    MetricChart* chart() const override;
    bool isZoomed() const override;
    void resetZoom() override;
    QCheckBox* logXBox() const override;
    QCheckBox* logYBox() const override; // of all charts
    QJsonObject state() const override; // the named views
    void restore(const QJsonObject& state) override;

    GridSettings settings() const;
    void setSettings(const GridSettings& settings);

    CurveGrid& grid() const { return *m_grid; }
    CurveBar& bar() const { return *m_bar; }
    ChoicePanel* metricPanel() const; // null: it was never open

Q_SIGNALS:
    void settingsChanged();

private:
    void show(); // the runs in the charts
    void takeBar();
    void offerChoices(); // what depends on the runs
    void explain(const ComparedLooks& looks); // in saved pictures
    void pointAt(long long key);
    void emphasise();

    RunSelection& m_selection;
    std::vector<RunRecord> m_runs;
    std::vector<RunSummaries> m_summaries;
    std::vector<CurveGroup> m_groups;
    Background m_background = Background::Light;
    CurveBar* m_bar;
    CurveGrid* m_grid;
    ChartChoice* m_choice;
};

} // namespace accrue
