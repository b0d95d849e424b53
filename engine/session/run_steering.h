// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/active_run.h"
#include "engine/session/run_events.h"
#include "engine/session/step_reader.h"

#include <cstdint>
#include <optional>

namespace accrue {

// Requests to a run while it trains, from whoever holds its RunControl and from the other ranks:
// stop, pause, another learning rate, a smaller micro-batch. Every rank reads its own RunControl,
// and what they agree on happens on all. One thread.
class RunSteering {
public:
    enum class Next {
        Continue,
        Stop,
        Repeat, // another rank was out of memory: the open window is computed again
    };

    // All borrowed.
    RunSteering(ActiveRun& run, RunEvents& events, StepReader& steps);

    // Called before every slice and every pass of an evaluation. Blocks while the run is paused.
    Next next();
    // Reports to the other ranks that this one is out of memory; called in place of next().
    // The others learn of it at their next agreement.
    void reportShortage() { m_run.world.agree({ .smallerMicro = true }); }
    // Called when all slices of `window` are accumulated: the rate of the update that closes it,
    // which is schedule × lr_rule × the factor in force, at most kLargestLearningRate. If another
    // rate was requested, the factor becomes the one that gives it in this step, and the change is
    // emitted. Empty: Next::Repeat.
    std::optional<double> learningRate(std::int64_t step, const Window& window);

private:
    Decision agreed();
    Decision pause();
    bool setFactor(double wanted, double scheduled);

    ActiveRun& m_run;
    RunEvents& m_events;
    StepReader& m_steps;
    std::optional<double> m_wanted; // learning rate, until an update uses it
};

} // namespace accrue
