// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_strip_updates.h"

#include "ui/models/law_words.h"
#include "ui/models/run_words.h"
#include "ui/pages/run_strip.h"

#include <algorithm>

namespace accrue {

RunStripUpdates::RunStripUpdates(const Backend& backend, RunStrip& strip, QObject* parent)
    : QObject(parent)
    , m_backend(backend)
    , m_strip(strip)
{
    connect(&backend.follower, &RunLogFollower::runsChanged, this, &RunStripUpdates::update);
    connect(&backend.controller, &RunController::stateChanged, this, &RunStripUpdates::update);
    connect(&backend.controller, &RunController::measuringChanged, this, &RunStripUpdates::update);
    connect(&backend.fits, &FitController::stateChanged, this, &RunStripUpdates::update);
    connect(&backend.fits, &FitController::progressed, this, &RunStripUpdates::update);
    connect(&backend.controller, &RunController::runStarted, this, [this] { m_ended = false; });
    connect(&backend.follower, &RunLogFollower::fileChanged, this, [this] { m_ended = true; });
    update();
}

bool RunStripUpdates::isOurs(const RunRecord& run) const
{
    return !m_ended && m_backend.controller.run() == run.id;
}

void RunStripUpdates::noteOurEnd(const RunList& runs)
{
    const auto isOver = [this](const RunRecord& run) { return isOurs(run) && !isLive(run); };
    if (!m_backend.controller.isActive())
        m_ended = m_ended || runs.empty() || std::any_of(runs.begin(), runs.end(), isOver);
}

// A run of ours that has ended may still look live in what the log last told.
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

QString RunStripUpdates::stateOfStart() const
{
    const RunController& controller = m_backend.controller;
    if (controller.state() == RunController::State::Stopping)
        return tr("stopping");
    return controller.measuring() ? tr("measuring") : tr("starting");
}

QString RunStripUpdates::stateOfFit() const
{
    if (m_backend.fits.state() == FitController::State::Stopping)
        return tr("stopping");
    return measured() != nullptr ? tr("measuring") : tr("starting");
}

const FitProgress* RunStripUpdates::measured() const
{
    const std::optional<FitProgress>& ofRun = m_backend.controller.measuring();
    if (ofRun)
        return &*ofRun;
    const FitController& fits = m_backend.fits;
    return fits.isActive() && fits.progress().micro > 0 ? &fits.progress() : nullptr;
}

void RunStripUpdates::showOurWork(const QString& name, const QString& state, bool ofRun)
{
    const FitProgress* window = measured();
    const double seconds = m_measuring.isValid() ? m_measuring.elapsed() / 1000.0 : 0;
    m_strip.showWork(name, state,
        window != nullptr ? progressOf(*window, seconds) : ShownProgress(),
        ofRun ? RunStrip::Steers::Run : RunStrip::Steers::Fit);
}

void RunStripUpdates::update()
{
    const RunController& controller = m_backend.controller;
    const FitController& fits = m_backend.fits;
    const std::shared_ptr<const RunList> runs = m_backend.follower.runs();
    if (runs != nullptr)
        noteOurEnd(*runs);
    if (measured() == nullptr)
        m_measuring.invalidate();
    else if (!m_measuring.isValid())
        m_measuring.start();
    const RunRecord* shown = runToShow(runs.get());
    const bool ours = shown != nullptr && isOurs(*shown);
    if (controller.isActive() && !ours)
        showOurWork(
            QString::fromStdString(controller.experiment().name), stateOfStart(), /*ofRun=*/true);
    else if (fits.isActive() && !ours)
        showOurWork(QString::fromStdString(fits.experiment().name), stateOfFit(), /*ofRun=*/false);
    else if (shown != nullptr)
        m_strip.showRun(*shown, ours, stateOf(*shown));
    else
        m_strip.showNothing();
}

} // namespace accrue
