// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/run_comparison.h"
#include "ui/curves/curve_groups.h"
#include "ui/curves/run_styling.h"
#include "ui/models/run_palette.h"

#include <QJsonObject>
#include <QWidget>

#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QLayout;
class QMenu;

namespace accrue {

class PicturedChart;

// One way to look at the compared runs. Which of them are hidden, selected or pointed at is in the
// RunSelection that all tabs share: a tab shows that and changes it there. GUI thread.
class CompareTab : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    // The runs in the order of the list. Called again for the same runs when their records, their
    // looks or the background have changed.
    virtual void setRuns(const std::vector<RunRecord>& runs, Background background) = 0;
    // How the runs of the next setRuns() look. Without it each has its own look.
    void setStyling(const RunStyling& styling) { m_styling = styling; }
    // Of these runs, possibly some time later than the runs.
    virtual void setSummaries(const std::vector<RunSummaries>& /*summaries*/) { }
    // Indices of the runs; runs that are not grouped are groups of one. Again when other
    // runs are set.
    virtual void setGroups(const std::vector<CurveGroup>& /*groups*/) { }
    virtual void reset() { } // other runs: axes and zoom are chosen again
    virtual bool needsSummaries() const { return true; }
    // Whether it draws numbers of the records, which change while a run trains. Otherwise it gets
    // new records only when something else of the runs has changed.
    virtual bool drawsRecords() const { return false; }
    virtual void setAsking(bool /*asking*/) { } // false: the tab is hidden, and needs nothing

    // The chart that actions are about; null: the tab has none, or nothing is drawn.
    virtual PicturedChart* chart() const { return nullptr; }
    // The exact numbers that are drawn, for a CSV file: a line of titles, then those of each run or
    // group. Empty: nothing is drawn.
    virtual std::vector<std::vector<std::string>> drawnNumbers() const { return {}; }
    virtual bool drawsNumbers() const { return false; } // the tab has such a table
    virtual bool isZoomed() const;
    virtual void resetZoom();
    // Switches of the tab that the page's actions also switch; null: the tab has none.
    virtual QCheckBox* logXBox() const { return nullptr; }
    virtual QCheckBox* logYBox() const { return nullptr; }

    // What the user has set up, without the runs; stored between starts of the program.
    virtual QJsonObject state() const { return {}; }
    virtual void restore(const QJsonObject& /*state*/) { }

Q_SIGNALS:
    void zoomChanged();
    void pictureRequested(); // of chart(), by its context menu
    void menuOpening(QMenu* menu); // of chart(): for what can be done with the selected runs

protected:
    const RunStyling& styling() const { return m_styling; }

private:
    RunStyling m_styling;
};

// The layout of a tab: a bar that chooses what the chart shows, above the chart.
void layOutChart(QWidget* tab, QLayout* bar, QWidget* chart);

} // namespace accrue
