// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/scatter_chart.h"
#include "ui/compare/compare_tab.h"
#include "ui/relations/run_points.h"

#include <vector>

class QToolButton;

namespace accrue {

class ElidedLabel;
class RunSelection;

// A tab that draws the compared runs as points. What is selected and pointed at in its chart is so
// in every view. GUI thread.
class PointsTab : public CompareTab {
    Q_OBJECT
public:
    void setRuns(const std::vector<RunRecord>& runs, Background background) override;
    void setSummaries(const std::vector<RunSummaries>& summaries) override;
    void setAsking(bool asking) override;
    void reset() override;
    bool drawsRecords() const override { return true; }
    ScatterChart* chart() const override { return m_chart; }
    bool drawsNumbers() const override { return true; }

    QToolButton* frameButton() const { return m_frame; } // a drag selects instead of zooming
    ElidedLabel* notes() const { return m_notes; } // what cannot be drawn, and why

protected:
    PointsTab(RunSelection& selection, QWidget* parent); // borrowed

    virtual void draw() = 0; // into the chart; only while it is visible
    void redraw(); // now or, while it is hidden, later
    const PointRuns& runs() const { return m_runs; }
    const std::vector<NumberColumn>& numbers() const { return m_numbers; } // of what is drawn
    RunSelection& selection() const { return m_selection; }
    // The numbers of both axes; others than before begin with axes of their own.
    void setAxes(const NumberColumn& x, const NumberColumn& y);
    void setEmptyText(const QString& text);
    QString textWithoutNumbers() const; // why there is nothing to choose
    // What runs lack for a point: a number, or one that a logarithmic axis can show.
    QStringList missing(const std::vector<const NumberColumn*>& needed) const;
    // A line of titles, then the exact numbers of each point.
    std::vector<std::vector<std::string>> tableOf(
        const std::vector<const NumberColumn*>& columns) const;

private:
    void connectSelection();
    void selectRuns(const std::vector<long long>& keys);
    void showSelection();

    RunSelection& m_selection;
    ScatterChart* m_chart;
    QToolButton* m_frame;
    ElidedLabel* m_notes;
    PointRuns m_runs;
    std::vector<RunSummaries> m_summaries;
    std::vector<NumberColumn> m_numbers;
    bool m_numbersAreOld = true;
    bool m_isAsked = false;
    bool m_isOld = true; // what is drawn
    std::string m_axes; // names of both numbers
    QString m_emptyText;
};

} // namespace accrue
