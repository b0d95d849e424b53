// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/accelerator/device_scope.h"
#include "engine/door/engine.h"
#include "engine/session/active_run.h"
#include "engine/session/run_checkpoints.h"
#include "engine/session/run_events.h"
#include "engine/session/run_failure.h"
#include "engine/session/step_reader.h"
#include "engine/session/training_loop.h"
#include "engine/window/world.h"

#include <cstddef>
#include <exception>
#include <filesystem>
#include <optional>

namespace accrue {

// One run from its first event to its last, on the thread that calls `run`. It prepares the run,
// starts the training and decides how the run ends. Everything between is the job of its parts: the
// order of windows, evaluations and checkpoints (TrainingLoop), one window (TrainingWindow), the
// late reading of its figures (StepReader), stop, pause and learning rate (RunSteering),
// evaluations (RunEvaluation), checkpoints (RunCheckpoints), and what is emitted (RunEvents). They
// share the ActiveRun.
class Session {
public:
    // All borrowed; they must outlive the session. `mayBeUnread` as for StepReader.
    Session(const TrainRequest& request, RunControl& control, EventSink& events,
        std::optional<std::size_t> mayBeUnread = {}, World& world = World::alone());

    // Blocks until the run ends: Engine::train. Throws nothing once the run has begun; every
    // exception becomes RunEnded.
    RunEnded run();

private:
    std::exception_ptr preparing();
    std::exception_ptr ownFailure();
    void prepare();
    at::Device ownDevice() const;
    void describeMachine();
    std::optional<Checkpoint> readResumed();
    void requireAllReady(const std::exception_ptr& failure);
    void shareThreads();
    std::filesystem::path begin(const std::exception_ptr& failure) const;
    void tellFolder(const std::filesystem::path& own);
    Message lossOr(const Message& message, const std::exception_ptr& failure) const;
    void makeParts(const std::optional<Checkpoint>& resumed);
    void announce();

    void fail(const std::exception_ptr& failure);
    RunEnded end();
    void emitEnd(RunEnded& ended);

    const std::optional<std::size_t> m_mayBeUnread;
    std::optional<DeviceScope> m_scope; // outlives everything on the device
    ActiveRun m_run;
    RunEvents m_events;
    int m_sharers = 1; // ranks that share the cores of this one
    bool m_isAnnounced = false;
    // Created when the run is prepared.
    std::optional<StepReader> m_steps;
    std::optional<RunCheckpoints> m_checkpoints;
    std::optional<TrainingLoop> m_loop;
};

} // namespace accrue
