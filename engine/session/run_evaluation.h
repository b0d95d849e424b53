// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/active_run.h"
#include "engine/session/evaluation.h"
#include "engine/session/run_events.h"
#include "engine/session/run_steering.h"

#include <cstdint>
#include <optional>

namespace accrue {

// Evaluates the model while it is trained: on the test samples and on those that are held out, with
// the averages in place of the parameters if the run has averages, and after precise BatchNorm if
// the recipe sets it. If memory runs out, it retries in smaller passes. One thread.
class RunEvaluation {
public:
    // All borrowed. Continues with the evaluation that is due at `now`.
    RunEvaluation(ActiveRun& run, RunEvents& events, RunSteering& steering);

    bool isDue() const;
    // The figures of all windows must have been read. Emits the result and its memory, and updates
    // the best accuracy and what is due next. Returns false if a stop was requested; then nothing
    // was emitted. Blocks.
    bool run();

private:
    template <typename Pass>
    auto inSmallerPasses(std::int64_t& samples, std::int64_t fewest, const Pass& pass);
    std::optional<Evaluation> evaluated(const ResidentSplit& split); // empty: a stop was requested
    bool makeStatisticsPrecise();
    bool mayContinue();
    void updateBest(double accuracy);

    ActiveRun& m_run;
    RunEvents& m_events;
    RunSteering& m_steering;
    std::int64_t m_batch; // samples of a pass
    bool m_isOtherShort = false; // another rank has run out of memory in this pass
    bool m_recounted = false; // the budget, after a first evaluation has loaded its libraries
};

} // namespace accrue
