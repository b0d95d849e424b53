// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/page.h"
#include "ui/run/backend.h"

#include <vector>

class QCheckBox;
class QAction;
class QFrame;
class QSplitter;
class QStackedWidget;

namespace accrue {

class AreaChart;
class ExperimentDraft;
class FollowedWindow;
class LawCard;
class LayersCard;
class ReservedLabel;
class RunChoice;
class StepChoice;

// What one window of a run needed memory for, phase by phase, and which layers' activations caused
// it; independent of runs, the memory model of the experiment in the form. Follows the latest run,
// live ones first, while that entry is chosen; another choice remains. GUI thread.
class MemoryPage : public Page {
    Q_OBJECT
public:
    // Both are borrowed and outlive the page.
    MemoryPage(Backend& backend, ExperimentDraft& draft, QWidget* parent = nullptr);

    QCheckBox* onlyChangingBox() const { return m_onlyChanging; }
    QCheckBox* evaluationBox() const { return m_evaluation; }
    ReservedLabel* summaryLabel() const { return m_summary; } // of the run and its window
    LawCard& law() const { return *m_law; }

    HelpTopic helpTopic() const override { return HelpTopic::Memory; }
    std::vector<KeptState> keptState() override;

Q_SIGNALS:
    void trainRequested(); // the empty page's button

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void layOut();
    void connectParts();
    QWidget* buildEmpty();
    QWidget* buildContent();
    QLayout* buildBar(QWidget* parent);
    QFrame* buildChart(QWidget* parent);
    void connectLaw(ExperimentDraft& draft);
    void fillMenu();
    void savePicture(); // after a question for the path
    void showRun(); // that the run box has
    void showWindow();
    void showSummary();
    void draw();

    RunLogFollower& m_follower;
    FollowedWindow* m_window;
    bool m_userChose = false; // whether only transient memory is drawn
    QStackedWidget* m_stack; // what is known of runs
    QSplitter* m_splitter = nullptr; // of runs and memory model
    QAction* m_savePicture = nullptr;
    LawCard* m_law = nullptr;
    RunChoice* m_runs = nullptr;
    ReservedLabel* m_summary = nullptr;
    QCheckBox* m_onlyChanging = nullptr;
    QCheckBox* m_evaluation = nullptr; // whether it is drawn, too
    StepChoice* m_steps = nullptr;
    AreaChart* m_chart = nullptr;
    LayersCard* m_layers = nullptr;
};

} // namespace accrue
