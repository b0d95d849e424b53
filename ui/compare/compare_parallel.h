// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/compare/compare_tab.h"
#include "ui/compare/parallel_choice.h"
#include "ui/relations/parallel_chart.h"

#include <QTimer>

#include <string>
#include <vector>

class QComboBox;
class QMenu;
class QPushButton;
class QToolButton;

namespace accrue {

class ElidedLabel;
class RunSelection;

// The compared runs over parallel axes of settings and results. Brushed runs are selected; another
// selection removes the brushes. GUI thread.
class CompareParallel : public CompareTab {
    Q_OBJECT
public:
    // The selection is borrowed and outlives this.
    explicit CompareParallel(RunSelection& selection, QWidget* parent = nullptr);

    void setRuns(const std::vector<RunRecord>& runs, Background background) override;
    void setSummaries(const std::vector<RunSummaries>& summaries) override;
    void setAsking(bool asking) override;
    void reset() override;
    bool drawsRecords() const override { return true; }
    ParallelChart* chart() const override { return m_chart; }
    std::vector<std::vector<std::string>> drawnNumbers() const override;
    bool drawsNumbers() const override { return true; }
    QJsonObject state() const override { return jsonOf(m_wishes); }
    void restore(const QJsonObject& state) override;

    void setAxisShown(const std::string& name, bool shown); // a dotted key, or as numbersOf has it
    void setColour(const std::string& axis); // empty: each run has its own

    QToolButton* axesButton() const { return m_axesButton; }
    QComboBox* colourBox() const { return m_colour; }
    QPushButton* brushesButton() const { return m_brushes; } // which removes them
    QString words() const; // beside the chart

private:
    void layOut();
    void connectChart();
    void connectSelection();
    void fillAxesMenu();
    void fillColours();
    void draw(); // unless the tab is hidden; then when it is seen
    void drawLines();
    void takeEdit();
    void takeBrushes();
    void takeSelection();
    void click(long long key, bool adds);
    QStringList missingWords() const;
    std::vector<RunId> brushedRuns() const;

    RunSelection& m_selection;
    std::vector<RunRecord> m_runs;
    std::vector<RunSummaries> m_summaries;
    Background m_background = Background::Light;
    std::vector<AxisChoice> m_choices;
    AxisWishes m_wishes;
    bool m_isAsking = false;
    bool m_isStale = false; // changed while the tab was hidden
    std::vector<RunId> m_brushed; // what was selected by brushes
    QTimer m_select; // a brush moves more often than all tabs can show it
    QToolButton* m_axesButton;
    QMenu* m_axesMenu;
    QComboBox* m_colour;
    QPushButton* m_brushes;
    ElidedLabel* m_words;
    ParallelChart* m_chart;
};

} // namespace accrue
