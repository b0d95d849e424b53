// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/key_effects.h"
#include "engine/compare/number_columns.h"
#include "ui/compare/compare_tab.h"
#include "ui/relations/interval_chart.h"

#include <optional>
#include <string>
#include <vector>

class QLabel;
class QPushButton;

namespace accrue {

class NumberBox;
class RunSelection;

// Which key explains a number of the shown runs, and the groups of one key. GUI thread.
class CompareImportance : public CompareTab {
    Q_OBJECT
public:
    // The selection is borrowed and outlives this.
    explicit CompareImportance(RunSelection& selection, QWidget* parent = nullptr);

    void setRuns(const std::vector<RunRecord>& runs, Background background) override;
    void setSummaries(const std::vector<RunSummaries>& summaries) override;
    void setAsking(bool asking) override;
    void reset() override;
    bool drawsRecords() const override { return true; }
    IntervalChart* chart() const override { return m_chart; }
    std::vector<std::vector<std::string>> drawnNumbers() const override;
    bool drawsNumbers() const override { return true; }
    QJsonObject state() const override;
    void restore(const QJsonObject& state) override;

    NumberBox* numberBox() const { return m_number; }
    QPushButton* groupButton() const { return m_group; }
    QPushButton* axisButton() const { return m_axis; }
    QString sentence() const;
    void choose(const std::string& key); // as `accrue summary` names it

Q_SIGNALS:
    void axisRequested(const std::string& key); // dotted

private:
    void layOut();
    void draw(); // unless the tab is hidden; then when it is seen
    void explain();
    void showPanels();
    const KeyImportance* chosen() const;
    std::string dottedKey() const; // of the chosen one; empty: none
    IntervalPanel panelOfKeys() const;
    IntervalPanel panelOfGroups() const;

    RunSelection& m_selection;
    std::vector<RunRecord> m_runs;
    std::vector<RunSummaries> m_summaries;
    Background m_background = Background::Light;
    bool m_isAsking = false;
    bool m_isStale = false; // changed while the tab was hidden
    std::string m_key; // that was chosen; empty: the first one
    std::optional<KeyEffects> m_effects; // empty: the runs have no numbers
    NumberBox* m_number;
    QPushButton* m_group;
    QPushButton* m_axis;
    QLabel* m_sentence;
    IntervalChart* m_chart;
};

} // namespace accrue
