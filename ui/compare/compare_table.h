// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/comparison_table.h"
#include "ui/compare/compare_tab.h"

#include <QList>

class QAction;
class QLineEdit;
class QTimer;

namespace accrue {

class ComparisonTableModel;
class ElidedLabel;
class GroupSentences;
class RunLogFollower;
class RunSelection;
class StepValueReader;
class TableView;

// Settings and results of the compared runs or groups side by side, and what the groups say of each
// other. GUI thread.
class CompareTable : public CompareTab {
    Q_OBJECT
public:
    // Both are borrowed and outlive this.
    CompareTable(
        const RunLogFollower& follower, RunSelection& selection, QWidget* parent = nullptr);

    void setRuns(const std::vector<RunRecord>& runs, Background background) override;
    void setSummaries(const std::vector<RunSummaries>& summaries) override;
    void setGroups(const std::vector<CurveGroup>& groups) override;
    void setAsking(bool asking) override;
    bool drawsRecords() const override { return true; }
    QJsonObject state() const override;
    void restore(const QJsonObject& state) override;

    // What is seen, for files that are made of the log.
    TableRequest request() const;
    // The table as it is now, also while the tab is hidden.
    const ComparisonTable& table();
    const QList<QAction*>& copyActions() const { return m_copies; } // Markdown, LaTeX
    void sortBy(const std::string& row); // the best first, then the worst, then as listed
    void toggleFold(const std::string& metric);
    void setStep(std::optional<std::int64_t> step);

    ComparisonTableModel& model() const { return *m_model; }
    TableView& view() const { return *m_view; }
    GroupSentences& sentences() const { return *m_sentences; }
    QCheckBox* hideIdenticalBox() const { return m_hideIdentical; } // settings that are the same
    QCheckBox* extremesBox() const { return m_extremes; } // of all metrics
    QCheckBox* transposedBox() const { return m_transposed; }
    QLineEdit* stepField() const { return m_step; }

private:
    void buildBar();
    void buildCopies();
    void takeStep(); // that was typed
    void askForStep();
    void changed(); // something that the table is made of
    void refresh();

    const RunLogFollower& m_follower;
    RunSelection& m_selection;
    std::vector<RunRecord> m_runs;
    std::vector<RunSummaries> m_summaries;
    TableRequest m_chosen; // what is chosen here; the rest is the selection's
    bool m_isAsking = false;
    bool m_isOld = true;
    ComparisonTableModel* m_model;
    TableView* m_view;
    GroupSentences* m_sentences;
    StepValueReader* m_steps;
    QTimer* m_soon; // refreshes once for all changes of one event
    QList<QAction*> m_copies;
    QCheckBox* m_hideIdentical;
    QCheckBox* m_extremes;
    QCheckBox* m_transposed;
    QLineEdit* m_step;
    ElidedLabel* m_legend;
};

} // namespace accrue
