// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/curves/grid_settings.h"
#include "ui/curves/run_curves.h"
#include "ui/run/run_log_follower.h"

#include <QWidget>

#include <set>
#include <string>
#include <vector>

class QLayout;

namespace accrue {

class CurveBar;
class CurveGrid;
class MetricChart;
class RunSelection;

// The curves of the compared runs: a grid of charts, and the bar that sets what all of them share.
// GUI thread.
class CompareCurves : public QWidget {
    Q_OBJECT
public:
    // Both are borrowed and outlive this.
    CompareCurves(RunLogFollower& follower, RunSelection& selection, QWidget* parent = nullptr);

    // The runs with their looks, as the next drawing shows them.
    void setRuns(const std::vector<RunRecord>& runs, Background background);
    void setSummaries(const std::vector<RunSummaries>& summaries); // which metrics there are
    void setAsking(bool asking); // false: the tab is hidden
    void reset(); // other runs: axes and zoom are chosen again

    const std::vector<CurveGroup>& groups() const { return m_groups; }
    GridSettings settings() const;
    void setSettings(const GridSettings& settings);

    CurveGrid& grid() const { return *m_grid; }
    CurveBar& bar() const { return *m_bar; }
    MetricChart* chart() const; // the one that an action is about

Q_SIGNALS:
    void groupsChanged();
    void settingsChanged();

private:
    void show(); // the runs in the charts
    void takeBar();
    void offerChoices(); // what depends on the runs
    std::string groupBy() const; // nothing if these runs do not differ in the key
    void pointAt(long long key);
    void emphasise();

    RunSelection& m_selection;
    std::vector<RunRecord> m_runs;
    std::vector<RunSummaries> m_summaries;
    std::vector<CurveGroup> m_groups;
    std::vector<std::string> m_groupKeys;
    Background m_background = Background::Light;
    CurveBar* m_bar;
    CurveGrid* m_grid;
};

// The layout of a tab: a bar that chooses what the chart shows, above the chart.
void layOutChart(QWidget* tab, QLayout* bar, QWidget* chart);

} // namespace accrue
