// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"
#include "ui/models/run_progress.h"

#include <QFrame>
#include <QStringList>

#include <optional>

class QAction;
class QLabel;
class QProgressBar;
class QToolButton;

namespace accrue {

class ColorDot;
class ElidedLabel;
class IconLabel;

// On every page: which run trains, or what is measured, its progress and speed, and the buttons
// that control it. It has the same height if nothing trains, so that what is beneath it does not
// move.
class RunStrip : public QFrame {
    Q_OBJECT
public:
    enum class Steers { Nothing, Run, Fit }; // what the buttons are for

    // The actions are borrowed; `cancel` ends a fit.
    RunStrip(QAction* pause, QAction* stop, QAction* cancel, QWidget* parent = nullptr);

    void showNothing(); // no run trains
    // For what the log does not have: a run that is being prepared, or a fit. Without a percentage
    // the progress is not known yet.
    void showWork(
        const QString& name, const QString& state, const ShownProgress& progress, Steers steers);
    // `ours`: of this process, so that it can be controlled here. `isNamed`: the page shows its
    // name and its state, so that only another state is shown here.
    void showRun(const RunRecord& run, bool ours, const QString& state, bool isNamed = false);
    // What waits: "3 queued, until 14:20", where there is less space "3 queued"; empty: nothing.
    void showQueue(const QString& text, const QString& brief, const QString& tip);
    QToolButton* queueButton() const { return m_queue; } // its click leads to the queue
    // A lock with this sentence, whatever else is shown; empty: none.
    void setReadOnly(const QString& why);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showNumbers(const ShownProgress& progress, bool counted);
    void fit();
    void fitQueue();
    int roomForRest() const; // pixels for bar, rate and memory
    void showMemory(const QString& text);
    void showParts(bool work, Steers steers);
    void showWords(const QString& title, const QString& state); // hidden if they are empty

    ColorDot* m_dot;
    ElidedLabel* m_title;
    ElidedLabel* m_state;
    QLabel* m_steps;
    QProgressBar* m_bar;
    QLabel* m_percent;
    QLabel* m_left;
    QLabel* m_rate;
    QLabel* m_memory;
    QStringList m_memoryTexts; // longest wording first
    IconLabel* m_lock; // the log can only be viewed
    QLabel* m_readOnly; // the same in words
    bool m_works = false; // something is in progress
    std::optional<RunId> m_paceOf; // the run that was shown last
    TrainingPace m_pace; // of that run
    QToolButton* m_pause;
    QToolButton* m_stop; // cancels a fit
    QToolButton* m_queue;
    QString m_queueText;
    QString m_queueBrief;
    QAction* m_stopAction;
    QAction* m_cancelAction;
};

} // namespace accrue
