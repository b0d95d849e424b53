// SPDX-License-Identifier: Apache-2.0
#include "ui/run/fit_controller.h"

#include "engine/base/sentences.h"
#include "engine/door/run_control.h"
#include "engine/report/law_store.h"

#include <exception>
#include <stop_token>

namespace accrue {

namespace {

// Why the memory model was not stored; empty: it was.
QString keep(const Experiment& experiment, const MemoryFit& fit)
{
    try {
        storeFit(lawDirectory(), experiment, fit);
    } catch (const std::exception& error) {
        return QString::fromStdString(messageOf(error).text());
    }
    return {};
}

} // namespace

FitController::FitController(EngineHost& engine)
    : m_engine(engine)
{
}

void FitController::start(const FitRequest& request)
{
    if (isActive())
        return;
    m_engine.load();
    m_experiment = request.experiment;
    m_progress = {};
    setState(State::Measuring);
    m_task.start([this, request](const Task::Job& job) { return measured(request, job); },
        [this](const Message& problem) { take({ .problem = problem, .machine = true }, {}); });
}

Task::News FitController::measured(const FitRequest& request, const Task::Job& job)
{
    const LoadedEngine loaded = m_engine.await();
    if (loaded.engine == nullptr) {
        const MemoryFit none { .problem = loaded.problem, .machine = true };
        return [this, none] { take(none, {}); };
    }
    RunControl control;
    // The engine knows only RunControl, a Task only a stop token; this callback connects the two
    // for as long as the fit runs.
    const std::stop_callback stopping(job.stopToken(), [&control] { control.requestStop(); });
    const MemoryFit fit = loaded.engine->fit(request, control, [&](const FitProgress& now) {
        job.post([this, now] {
            m_progress = now;
            Q_EMIT progressed();
        });
    });
    // On this thread, too, because it writes a file.
    const QString notKept = fit.stopped ? QString() : keep(request.experiment, fit);
    return [this, fit, notKept, devices = loaded.engine->devices()] {
        m_engine.setDevices(devices); // a device may have been lost in the fit
        take(fit, notKept);
    };
}

void FitController::stop()
{
    if (m_state != State::Measuring)
        return;
    m_task.cancel();
    setState(State::Stopping);
}

void FitController::take(const MemoryFit& fit, const QString& notKept)
{
    // Idle before the signal: a slot may start the next fit.
    setState(State::Idle);
    Q_EMIT ended(fit, notKept);
}

void FitController::setState(State state)
{
    m_state = state;
    Q_EMIT stateChanged();
}

} // namespace accrue
