// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/distributed/agreement_pace.h"
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

    // Called before every slice. Blocks while the run is paused. The ranks agree on it, unless that
    // would take long and no slice exchanges anything (AgreementPace): then this rank may continue
    // beyond the slice in which another one was out of memory.
    Next next();
    // Likewise before every pass of an evaluation; the ranks agree on each.
    Next nextPass();
    // Reports to the other ranks that this one is out of memory; called in place of their next
    // agreement.
    void reportShortage() { agree({ .smallerMicro = true }); }
    // Called when all slices of a part of a window are accumulated that does not close it. Returns
    // false: Next::Repeat.
    bool endPart();
    // Called when all slices of `window` are accumulated: the rate of the update that closes it,
    // which is schedule × lr_rule × the factor in force, at most kLargestLearningRate. If another
    // rate was requested, the factor becomes the one that gives it in this step, and the change is
    // emitted. Empty: Next::Repeat.
    std::optional<double> learningRate(std::int64_t step, const Window& window);
    // Called when training ends and all windows are read: emits what the ranks have measured of the
    // last ones.
    void reportRest();

private:
    Decision agree(Decision mine);
    Decision requested() const;
    Next follow(Decision decision);
    Decision pause();
    bool setFactor(double wanted, double scheduled);

    ActiveRun& m_run;
    RunEvents& m_events;
    StepReader& m_steps;
    std::optional<double> m_wanted; // learning rate, until an update uses it
    AgreementPace m_pace;
    std::int64_t m_left = 0; // slices until the next agreement
};

} // namespace accrue
