// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/insight/memory_fit.h"
#include "ui/run/engine_host.h"
#include "ui/run/task.h"

#include <QObject>
#include <QString>

namespace accrue {

// Measures which micro-batch fits, one fit at a time. Lives on the GUI thread; the engine is
// awaited and the law is stored on the fit's own thread, so that nothing here blocks but the
// destructor: it stops the fit and waits until its window is computed.
class FitController : public QObject {
    Q_OBJECT
public:
    enum class State {
        Idle,
        Measuring,
        Stopping, // asked, takes effect between two windows
    };

    // `engine` is borrowed and must outlive this.
    explicit FitController(EngineHost& engine, QObject* parent = nullptr);

    State state() const { return m_state; }
    bool isActive() const { return m_state != State::Idle; }
    const Experiment& experiment() const { return m_experiment; } // of the fit, or the last one
    const FitProgress& progress() const { return m_progress; } // micro 0: before the first window

    // Ignored while one is active. While a run trains the engine would not begin before it ends.
    void start(const FitRequest& request);
    void stop(); // nothing of it is kept

Q_SIGNALS:
    void stateChanged();
    void progressed();
    // What is known is in its fingerprint's file, unless `notKept` says why it is not. The state is
    // Idle again.
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
