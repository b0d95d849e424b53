// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/backend.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QAction;

namespace accrue {

class ElidedLabel;
class ExperimentDraft;
class InlineMessage;
class LearningRateRow;
class LiveCharts;
class RunHeading;
class RunStart;
class ShownRun;
class WindowView;

// The right column of the Train page: a run of the log, live or not, with what can be done with it.
// GUI thread.
class ShownRunColumn : public QWidget {
    Q_OBJECT
public:
    struct Parts {
        Backend& backend;
        ExperimentDraft& draft; // of the next run, whose window is drawn while no run is shown
        RunStart& start;
        ShownRun& run;
    };
    // All parts are borrowed and must outlive this. The actions belong to `page`.
    ShownRunColumn(const Parts& parts, QWidget& page);

    QAction* resumeAction() const { return m_resume; }
    QAction* loadAction() const { return m_load; } // its settings into the draft
    QAction* compareAction() const { return m_compare; } // with the run before it
    QAction* showLiveAction() const { return m_showLive; } // the run that trains here instead

    const RunHeading& heading() const { return *m_heading; }
    LiveCharts& charts() const { return *m_charts; }
    LearningRateRow& learningRate() const { return *m_rateRow; }

    void showState(); // reported by draft, engine and controller

Q_SIGNALS:
    void loadRequested(const accrue::RunRecord& run);
    // Its settings with another learning rate.
    void retryRequested(const accrue::RunRecord& run, const QString& rate);
    void compareRequested(const std::vector<accrue::RunId>& runs);

private:
    void makeActions(QWidget& page);
    QWidget* makeWindowCard();
    void connectRun();

    void show(const std::optional<RunId>& run);
    void showHeading();
    void showFailure(const RunRecord* run);
    void showNoRun();
    void showActions();
    void showProgress();
    void showRate();
    void takeRate();
    bool isLiveHere() const; // the run shown trains, and in this window

    Parts m_parts;
    RunController& m_controller;
    QTimer m_progressTimer; // runs only while a run is active
    QAction* m_resume = nullptr;
    QAction* m_load = nullptr;
    QAction* m_compare = nullptr;
    QAction* m_showLive = nullptr;
    RunHeading* m_heading = nullptr;
    InlineMessage* m_failure = nullptr; // why the run that is shown failed, until it is closed
    std::optional<RunId> m_failed; // the run that it was shown for
    LiveCharts* m_charts = nullptr;
    WindowView* m_windowView = nullptr;
    ElidedLabel* m_windowWords = nullptr;
    LearningRateRow* m_rateRow = nullptr;
};

} // namespace accrue
