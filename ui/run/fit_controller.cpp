// SPDX-License-Identifier: Apache-2.0
#include "ui/run/fit_controller.h"

#include <QMetaObject>

#include <exception>
#include <utility>

namespace accrue {

namespace {

// Empty: it is kept, or there is nothing to keep.
QString keep(const Experiment& experiment, const MemoryFit& fit)
{
    try {
        storeFit(lawDirectory(), experiment, fit);
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

FitController::FitController(EngineHost& engine, QObject* parent)
    : QObject(parent)
    , m_engine(engine)
{
}

FitController::~FitController()
{
    if (m_control != nullptr)
        m_control->requestStop();
    joinThread();
}

void FitController::start(const FitRequest& request)
{
    if (isActive())
        return;
    m_engine.load();
    m_experiment = request.experiment;
    m_progress = {};
    m_control = std::make_unique<RunControl>();
    setState(State::Measuring);
    m_thread = std::thread([this, control = m_control.get(), request] { run(*control, request); });
}

// On the fit's thread, which is joined before this dies.
void FitController::run(RunControl& control, const FitRequest& request)
{
    const LoadedEngine loaded = m_engine.await();
    MemoryFit fit { .problem = loaded.problem, .machine = true };
    QString notKept;
    if (loaded.engine != nullptr) {
        fit = loaded.engine->fit(request, control, [this](const FitProgress& now) {
            const auto tell = [this, now] {
                m_progress = now;
                Q_EMIT progressed();
            };
            QMetaObject::invokeMethod(this, tell, Qt::QueuedConnection);
        });
        if (!fit.stopped)
            notKept = keep(request.experiment, fit);
        // It may have lost one.
        QMetaObject::invokeMethod(
            this, [this, devices = loaded.engine->devices()] { m_engine.setDevices(devices); },
            Qt::QueuedConnection);
    }
    QMetaObject::invokeMethod(
        this, [this, fit, notKept] { take(fit, notKept); }, Qt::QueuedConnection);
}

void FitController::stop()
{
    if (m_state != State::Measuring)
        return;
    m_control->requestStop();
    setState(State::Stopping);
}

void FitController::take(const MemoryFit& fit, const QString& notKept)
{
    joinThread();
    setState(State::Idle);
    Q_EMIT ended(fit, notKept);
}

void FitController::setState(State state)
{
    m_state = state;
    Q_EMIT stateChanged();
}

void FitController::joinThread()
{
    if (m_thread.joinable())
        m_thread.join();
}

} // namespace accrue
