// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/insight/memory_fit.h"
#include "ui/run/engine_host.h"
#include "ui/run/task.h"

#include <QObject>
#include <QString>

namespace accrue {

// Measures which micro-batch fits, one fit at a time. Lives on the GUI thread. The fit's own thread
// waits for the engine and stores the memory model, so that only the destructor blocks: it stops
// the fit and waits until the current window is computed.
class FitController : public QObject {
    Q_OBJECT
public:
    enum class State {
        Idle,
        Measuring,
        Stopping, // requested; takes effect between two windows
    };

    // `engine` is borrowed and must outlive this.
    explicit FitController(EngineHost& engine);

    State state() const { return m_state; }
    bool isActive() const { return m_state != State::Idle; }
    // Of the current fit, or of the last one
    const Experiment& experiment() const { return m_experiment; }
    const FitProgress& progress() const { return m_progress; } // micro 0: before the first window

    // Ignored while a fit is active. While a run trains, the engine does not begin before the run
    // ends.
    void start(const FitRequest& request);
    void stop(); // the measurements are discarded

Q_SIGNALS:
    void stateChanged();
    void progressed();
    // The measured memory model is in the file of its fingerprint, unless `notKept` states why it
    // is not. The state is Idle again.
    void ended(const accrue::MemoryFit& fit, const QString& notKept);

private:
    Task::News measured(const FitRequest& request, const Task::Job& job); // on the fit's thread
    void setState(State state);
    void take(const MemoryFit& fit, const QString& notKept);

    EngineHost& m_engine;
    State m_state = State::Idle;
    Experiment m_experiment;
    FitProgress m_progress;
    Task m_task;
};

} // namespace accrue
