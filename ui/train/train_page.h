// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/page.h"
#include "ui/train/run_start.h"

#include <vector>

class QAction;
class QSplitter;

namespace accrue {

class ExperimentDraft;
class NextRunColumn;
class ShownRun;
class ShownRunColumn;

// The next run on the left, a run of the log on the right, and the actions that start and steer
// runs. GUI thread.
class TrainPage : public Page {
    Q_OBJECT
public:
    // Both are borrowed and must outlive this.
    TrainPage(Backend& backend, ExperimentDraft& draft, QWidget* parent = nullptr);

    void loadSettings(const RunRecord& run); // into the draft, where it can be undone
    void retry(const RunRecord& run, const QString& rate); // the same at that rate, and starts

    NextRunColumn& nextRun() const { return *m_next; }
    ShownRunColumn& runColumn() const { return *m_run; }
    ShownRun& shownRun() const { return *m_shown; }
    RunStart& starter() const { return *m_starter; }

    HelpTopic helpTopic() const override { return HelpTopic::Train; }
    std::vector<KeptState> keptState() override;
    std::vector<KeptRuns> keptRuns() override;
    QWidget& noticeArea() override; // the charts: Start and the checks remain visible
    bool focusMainPart() override;
    bool focusQuietPart() override;
    void setWhyNotWrite(const QString& why) override { m_starter->setWhyNotWrite(why); }

Q_SIGNALS:
    void measureRequested(); // of the memory that the draft's settings need
    void compareRequested(const std::vector<accrue::RunId>& runs);
    void sweepRequested(); // of the draft's experiment
    void explanationRequested(const QString& word); // of a field's label

protected:
    bool event(QEvent* event) override;

private:
    void makeActions();
    void fillMenus();
    void layOut();
    void connectNextRun();
    void connectRun();

    void showState();
    void showSteering();
    void showUndo();
    void offerUndo(bool lostEdits);

    Backend& m_backend;
    ExperimentDraft& m_draft;
    RunStart* m_starter;
    ShownRun* m_shown;
    QAction* m_start = nullptr;
    QAction* m_sweep = nullptr;
    QAction* m_pause = nullptr;
    QAction* m_stop = nullptr;
    QAction* m_changeRate = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QSplitter* m_splitter = nullptr;
    NextRunColumn* m_next = nullptr;
    ShownRunColumn* m_run = nullptr;
};

} // namespace accrue
