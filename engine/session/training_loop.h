// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/stop_rule.h"
#include "engine/experiment/window_sequence.h"
#include "engine/memory/allocator_watch.h"
#include "engine/session/active_run.h"
#include "engine/session/run_checkpoints.h"
#include "engine/session/run_evaluation.h"
#include "engine/session/run_events.h"
#include "engine/session/run_histograms.h"
#include "engine/session/run_steering.h"
#include "engine/session/step_reader.h"

#include <cstdint>
#include <exception>

namespace accrue {

// The order of events while a run trains: micro-batches accumulate the gradient of a window, each
// window makes one update, and between windows epochs end, evaluations and checkpoints become due,
// and the run may end. If memory runs out before a window's update has begun, the window is
// computed again in smaller micro-batches, with the same samples and weights. One thread.
class TrainingLoop {
public:
    // All borrowed. Continues from `run.states.now`, maybe in the middle of a window.
    TrainingLoop(ActiveRun& run, RunEvents& events, StepReader& steps, RunCheckpoints& checkpoints);

    // Blocks until all updates are made or `run.ending` is set. Throws what ends a run as failed.
    void train();

private:
    std::optional<WindowPart> nextPart() const;
    bool compute(const WindowPart& part);
    void begin(const WindowPart& part);
    bool advance(const WindowPart& part);
    RunSteering::Next accumulate(const WindowPart& part);
    bool update(const Window& window);
    void addPending(const Window& window, double rate);
    void reportMemory();
    bool canRepeat(const std::exception_ptr& failure) const;
    void repeatSmaller(std::int64_t epoch);
    void measureIfDue();
    void endEpoch();
    void evaluateIfDue();
    void evaluate();
    void endEarly();
    void stopAfterUpdates();
    void evaluateBeside();
    void stopHere(bool isCompared = false);

    ActiveRun& m_run;
    RunEvents& m_events;
    StepReader& m_steps;
    RunCheckpoints& m_checkpoints;
    RunSteering m_steering;
    RunEvaluation m_evaluation;
    RunHistograms m_histograms;
    const StopRule m_rule;
    RetryWatch m_retries;
    std::int64_t m_ownSamples = 0; // that this rank has computed of the open window
    std::int64_t m_epochsReported; // epochs reported as over
    bool m_recounted = false; // the budget, after a first window has loaded its libraries
};

} // namespace accrue
