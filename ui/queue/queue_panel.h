// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"
#include "ui/queue/queue_model.h"
#include "ui/run/log_host.h"
#include "ui/run/queue_runner.h"
#include "ui/run/run_log_follower.h"

#include <QFrame>
#include <QPoint>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

class QAction;
class QLabel;
class QTableView;
class QToolButton;

namespace accrue {

class ElidedLabel;

// The queue of the log: what trains, what comes next, how long all of it takes. Its rows are moved,
// held and removed here; it is hidden as long as the queue is empty. GUI thread.
class QueuePanel : public QFrame {
    Q_OBJECT
public:
    // All are borrowed and must outlive this.
    QueuePanel(
        RunLogFollower& follower, LogHost& log, QueueRunner& runner, QWidget* parent = nullptr);

    QueueModel& model() const { return *m_model; }
    QTableView& view() const { return *m_view; }
    QAction* runAction() const { return m_run; } // trains the queue here, or stops doing so
    QAction* nextAction() const { return m_next; } // trains the selected run next
    QAction* earlierAction() const { return m_earlier; }
    QAction* laterAction() const { return m_later; }
    QAction* holdAction() const { return m_hold; }
    QAction* holdAllAction() const
    {
        return m_holdAll;
    } // no worker takes anything, or releases that
    QAction* removeAction() const { return m_remove; }
    QString outlook() const; // the sentence of the header
    QLabel& halved() const { return *m_halved; } // what successive halving has stopped
    void setWhyNotWrite(const QString& why); // empty: the log can be written

    bool isFolded() const { return m_isFolded; }
    void setFolded(bool folded);

Q_SIGNALS:
    void runChosen(accrue::RunId run); // by a double click
    void foldedChanged(bool folded);

protected:
    // Keys that also belong to the page are of the table while it has the focus.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using Edit = void (*)(RunQueue& queue, const std::vector<RunId>& runs);
    void makeActions();
    QAction* makeEdit(const char* icon, const QString& text, const QKeySequence& keys,
        const QString& tip, Edit edit);
    QWidget* makeHeader();
    void makeView();
    void setRuns(const std::shared_ptr<const RunList>& runs);
    void showOutlook();
    void showActions();
    void showRun();
    void showHoldAll();
    void fitHeight();
    void showMenu(const QPoint& position);
    void toggleHold();
    std::vector<RunId> selectedWaiting() const;
    void change(std::function<void(RunQueue&)> change);

    RunLogFollower& m_follower;
    LogHost& m_log;
    QueueRunner& m_runner;
    QueueModel* m_model;
    QTableView* m_view = nullptr;
    ElidedLabel* m_outlook = nullptr;
    QLabel* m_halved = nullptr; // how many runs of its sweeps were stopped; its tip: why
    QToolButton* m_fold = nullptr;
    QAction* m_run = nullptr;
    QAction* m_next = nullptr;
    QAction* m_earlier = nullptr;
    QAction* m_later = nullptr;
    QAction* m_hold = nullptr;
    QAction* m_holdAll = nullptr;
    QAction* m_remove = nullptr;
    QString m_whyNotWrite;
    bool m_isFolded = false;
};

} // namespace accrue
