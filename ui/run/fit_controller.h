// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/law_store.h"
#include "engine/door/memory_fit.h"
#include "engine/door/run_control.h"
#include "ui/run/engine_host.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>
#include <thread>

namespace accrue {

// Measures which micro-batch fits, one fit at a time. Lives on the GUI thread; the fit has a thread
// of its own, on which the engine is awaited and the law is stored, so that nothing here blocks.
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
    ~FitController() override; // stops the fit. Blocks until its window is computed.

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
    void run(RunControl& control, const FitRequest& request);
    void setState(State state);
    void take(const MemoryFit& fit, const QString& notKept);
    void joinThread();

    EngineHost& m_engine;
    State m_state = State::Idle;
    Experiment m_experiment;
    FitProgress m_progress;
    std::unique_ptr<RunControl> m_control; // of m_thread
    std::thread m_thread;
};

} // namespace accrue
