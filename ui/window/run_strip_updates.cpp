// SPDX-License-Identifier: Apache-2.0
#include "ui/window/run_strip_updates.h"

#include "ui/models/law_words.h"
#include "ui/models/queue_words.h"
#include "ui/models/run_words.h"
#include "ui/train/shown_run.h"
#include "ui/train/train_page.h"

#include <QStackedWidget>

#include <algorithm>

// Two sources report our run, at different times: the controller at once, the log when it has been
// read. Before the log has the run, the strip shows the controller's state (“starting”,
// “measuring”); from then on it shows the record, and of the controller only what the log cannot
// know (“stopping”, “pausing”). A number identifies a run in one log only: m_ended states that the
// number which the controller had last is no longer that of our run.

namespace accrue {

RunStripUpdates::RunStripUpdates(const Backend& backend, RunStrip& strip, QObject* parent)
    : QObject(parent)
    , m_backend(backend)
    , m_ended(!backend.controller.isActive())
    , m_strip(strip)
{
    connect(&backend.follower, &RunLogFollower::runsChanged, this, &RunStripUpdates::update);
    connect(&backend.controller, &RunController::stateChanged, this, &RunStripUpdates::update);
    connect(&backend.controller, &RunController::measuringChanged, this, &RunStripUpdates::update);
    connect(&backend.fits, &FitController::stateChanged, this, &RunStripUpdates::update);
    connect(&backend.fits, &FitController::progressed, this, &RunStripUpdates::update);
    connect(&backend.controller, &RunController::runStarted, this, [this] { m_ended = false; });
    connect(&backend.follower, &RunLogFollower::fileChanged, this, [this] {
        m_ended = true;
        update(); // no run of the log before stays in the strip
    });
    update();
}

void RunStripUpdates::leaveNameTo(const TrainPage& page, const QStackedWidget& pages)
{
    m_page = &page;
    m_pages = &pages;
    connect(&page.shownRun(), &ShownRun::shown, this, &RunStripUpdates::update);
    connect(&pages, &QStackedWidget::currentChanged, this, &RunStripUpdates::update);
}

bool RunStripUpdates::isNamed(const RunRecord& run) const
{
    return m_page != nullptr && m_pages->currentWidget() == m_page
        && m_page->shownRun().id() == run.id;
}

bool RunStripUpdates::isOurs(const RunRecord& run) const
{
    return !m_ended && m_backend.controller.run() == run.id;
}

// The controller's end alone is not enough: until the log has it, the record looks live.
void RunStripUpdates::noteOurEnd(const RunList& runs)
{
    const auto isOver = [this](const RunRecord& run) { return isOurs(run) && !isLive(run); };
    if (!m_backend.controller.isActive())
        m_ended = m_ended || runs.empty() || std::any_of(runs.begin(), runs.end(), isOver);
}

// A run of ours that has ended may still look live in the last list of the log.
const RunRecord* RunStripUpdates::runToShow(const RunList* runs) const
{
    const RunRecord* shown = nullptr;
    if (runs == nullptr)
        return shown;
    for (const RunRecord& run : *runs) {
        if (isOurs(run) && m_backend.controller.isActive())
            return &run;
        if (shown == nullptr && isLive(run) && !isOurs(run))
            shown = &run;
    }
    return shown;
}

QString RunStripUpdates::stateOf(const RunRecord& run) const
{
    if (isOurs(run) && m_backend.controller.state() == RunController::State::Stopping)
        return tr("stopping");
    if (isOurs(run) && m_backend.controller.state() == RunController::State::Pausing)
        return tr("pausing");
    return stateText(run);
}

// A fit has no window until it has chosen the first one.
const FitProgress* RunStripUpdates::measured() const
{
    const std::optional<FitProgress>& ofRun = m_backend.controller.measuring();
    if (ofRun)
        return &*ofRun;
    const FitController& fits = m_backend.fits;
    return fits.isActive() && fits.progress().micro > 0 ? &fits.progress() : nullptr;
}

void RunStripUpdates::showWork(const Experiment& experiment, bool stopping, RunStrip::Steers steers)
{
    const FitProgress* const window = measured();
    ShownProgress progress;
    QString state = tr("starting");
    if (window != nullptr) {
        state = tr("measuring");
        progress = progressOf(*window, static_cast<double>(m_measuring.elapsed()) / 1000);
    }
    m_strip.showWork(QString::fromStdString(experiment.name), stopping ? tr("stopping") : state,
        progress, steers);
}

void RunStripUpdates::showQueue(const RunList* runs)
{
    const QueueOutlook outlook =
        outlookOf(runs != nullptr ? *runs : RunList(), m_backend.follower.isQueueHeld());
    QueueOutlook untimed = outlook;
    untimed.seconds = 0;
    m_strip.showQueue(queuedText(outlook), queuedText(untimed),
        tr("Queue: %1. A click shows it.").arg(outlookText(outlook)));
}

void RunStripUpdates::update()
{
    const RunController& controller = m_backend.controller;
    const FitController& fits = m_backend.fits;
    const std::shared_ptr<const RunList> runs = m_backend.follower.runs();
    if (runs != nullptr)
        noteOurEnd(*runs);
    showQueue(runs.get());
    // The time of a fit is counted from its first window: before that it may wait for the engine.
    if (measured() == nullptr)
        m_measuring.invalidate();
    else if (!m_measuring.isValid())
        m_measuring.start();
    const RunRecord* shown = runToShow(runs.get());
    const bool ours = shown != nullptr && isOurs(*shown);
    if (controller.isActive() && !ours)
        showWork(controller.experiment(), controller.state() == RunController::State::Stopping,
            RunStrip::Steers::Run);
    else if (fits.isActive() && !ours)
        showWork(fits.experiment(), fits.state() == FitController::State::Stopping,
            RunStrip::Steers::Fit);
    else if (shown != nullptr)
        m_strip.showRun(*shown, ours, stateOf(*shown), isNamed(*shown));
    else
        m_strip.showNothing();
}

} // namespace accrue
