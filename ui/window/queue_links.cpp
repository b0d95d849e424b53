// SPDX-License-Identifier: Apache-2.0
#include "ui/window/queue_links.h"

#include "engine/report/sweep_queue.h"
#include "ui/draft/experiment_draft.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"
#include "ui/queue/queue_panel.h"
#include "ui/queue/sweep_drawer.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_page.h"
#include "ui/train/shown_run.h"
#include "ui/train/train_page.h"
#include "ui/widgets/notice_slot.h"

#include <QTableView>

#include <memory>
#include <utility>

namespace accrue {

QueueLinks::QueueLinks(
    Backend& backend, const Pages& pages, std::function<void(Page&)> show, QObject* parent)
    : QObject(parent)
    , m_backend(backend)
    , m_pages(pages)
    , m_show(std::move(show))
    , m_panel(new QueuePanel(backend.follower, backend.log, backend.queue, &pages.runs))
    , m_drawer(new SweepDrawer(
          [&backend] {
              return SweepDrawer::Places { backend.log.file(), backend.dataDirectories };
          },
          &pages.runs))
{
    m_pages.runs.place(*m_panel, *m_drawer);
    addMenu();
    linkQueue();
    connect(&m_pages.train, &TrainPage::sweepRequested, this,
        [this] { openSweep(m_pages.draft.experiment()); });
    connect(m_drawer, &SweepDrawer::closed, this, &QueueLinks::closeSweep);
    connect(m_drawer, &SweepDrawer::addRequested, this,
        [this](const std::shared_ptr<const PlannedSweep>& sweep) {
            m_backend.queue.add(runsToQueue(sweep->definition, sweep->expanded.runs),
                sweepToQueue(sweep->definition));
            closeSweep();
        });
}

void QueueLinks::addMenu()
{
    const QString needs = tr("Select a run that waits");
    const RunActions::Actions& actions = m_pages.runs.runActions().all();
    m_pages.runs.insertBelow("runs.duplicate", { "runs.sweep", actions.sweep });
    m_pages.runs.insertBelow("runs.resume", { "runs.stop", actions.stop });
    m_pages.runs.insertBelow("runs.archive",
        { "queue.run", m_panel->runAction(), {}, tr("Train the queue, or stop doing so") });
    m_pages.runs.insertBelow("queue.run",
        { "queue.hold_all", m_panel->holdAllAction(), {}, tr("Hold the queue, or release it") });
    m_pages.runs.insertBelow("queue.run", { "queue.hold", m_panel->holdAction(), needs });
    m_pages.runs.insertBelow("queue.run", { "queue.next", m_panel->nextAction(), needs });
}

void QueueLinks::linkQueue()
{
    const RunActions& actions = m_pages.runs.runActions();
    connect(&actions, &RunActions::stopRequested, this, &QueueLinks::stop);
    connect(&actions, &RunActions::sweepRequested, this, [this](const RunRecord& run) {
        Experiment base = run.experiment;
        base.name = run.name;
        openSweep(base);
    });
    connect(&m_backend.queue, &QueueRunner::added, this, [this](int runs) {
        m_backend.follower.refresh();
        NoticeSlot::of(m_pages.runs)
            .tell(countedText(runs, tr("1 run was added to the queue."),
                      tr("%1 runs were added to the queue.")),
                tr("Show the queue"), [this] { m_show(m_pages.runs); });
    });
    connect(m_panel, &QueuePanel::runChosen, this, [this](RunId run) {
        m_pages.train.shownRun().show(run);
        m_show(m_pages.train);
    });
    // The run that the queue has begun is the one that the Train page follows, unless another one
    // is being looked at.
    connect(&m_backend.controller, &RunController::runStarted, this, [this](RunId run) {
        if (m_backend.queue.isOn() && m_pages.train.shownRun().id() == m_last)
            m_pages.train.shownRun().show(run);
        m_last = run;
    });
}

// One of this window by its controller, one of another worker through the log.
void QueueLinks::stop(const std::vector<RunId>& runs)
{
    for (const RunId run : runs) {
        const RunRecord* const record = m_pages.runs.model().find(run);
        if (m_backend.controller.isActive() && m_backend.controller.run() == run)
            m_backend.controller.stop();
        else if (record != nullptr && record->queue)
            m_backend.log.changeQueue([run](RunQueue& queue) { queue.requestStop(run); });
        else
            NoticeSlot::of(m_pages.runs)
                .reportProblem(tr("Run %1 is trained by another program, outside of the queue. "
                                  "Stop it there.")
                                   .arg(runNumber(run)));
    }
}

void QueueLinks::openSweep(const Experiment& base)
{
    m_drawer->setBase(base);
    if (!m_drawer->isVisibleTo(&m_pages.runs)) // opened twice, it would forget how the panel was
        m_wasFolded = m_panel->isFolded();
    m_panel->setFolded(true); // so that all of the sweep fits the smallest window
    m_pages.runs.showDrawer(true);
    m_show(m_pages.runs);
    m_drawer->focusFirst();
}

void QueueLinks::showQueue()
{
    if (!m_drawer->isHidden())
        closeSweep();
    m_panel->setFolded(false);
    m_show(m_pages.runs);
    m_panel->view().setFocus(Qt::OtherFocusReason);
}

void QueueLinks::closeSweep()
{
    m_pages.runs.showDrawer(false);
    m_panel->setFolded(m_wasFolded);
    m_pages.runs.setFocus(Qt::OtherFocusReason);
}

void QueueLinks::setWhyNotWrite(const QString& why)
{
    m_panel->setWhyNotWrite(why);
    m_drawer->setWhyNotWrite(why);
}

} // namespace accrue
