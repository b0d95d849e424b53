// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/resume_point.h"
#include "engine/experiment/stop_rule.h"
#include "engine/experiment/window_sequence.h"
#include "engine/model/named_tensors.h"
#include "engine/window/loss_scale.h"

#include <cstdint>

namespace accrue {

// How far a run has come: epochs begun (0 before the first), windows closed, samples and
// micro-batches computed, training time.
using Position = ResumePoint;

// Over the samples whose figures were read.
struct Sums {
    double loss = 0;
    std::int64_t correct = 0;
    std::int64_t samples = 0;
    friend bool operator==(const Sums&, const Sums&) = default;
};

// Everything that a session counts. Together with the tensors of its parts this determines the next
// micro-batch and the next row of the log, so it is what a checkpoint stores. A value.
struct RunState {
    Position position; // at the end of the last micro-batch; step and seconds of the last window;
                       // in a checkpoint its own seconds
    WindowCursor cursor; // likewise
    std::uint32_t slicesDone = 0; // of the window that is open
    std::int64_t lastUpdate = 0; // last step that reached the parameters
    std::int64_t lastEvaluation = 0; // step of the last evaluation
    Sums epoch; // of this epoch, without refused windows
    Sums carried; // the part of them in a window that a later epoch closes
    double factor = 1; // on the schedule, as last used
    std::int64_t micro =
        0; // b in force, smaller than planned after an out-of-memory error; 0: as planned
    LossScale lossScale; // of the window that is open, or else of the next one
    double evaluationNext = 0; // where along its span the next one is due
    double checkpointNext = 0;
    double best = 0; // greatest evaluated accuracy; below 0: none yet
    std::int64_t evaluationsSinceBest = 0; // for run.patience
    RuleValues ruleValues; // for run.stop_when
};

// The remaining figures of a state as float64 scalars (counts are exact up to 2^53).
NamedTensors figuresOf(const RunState& state);
// Sets them from a checkpoint. Throws Error if one is missing, has another shape, or is not a count
// although it must be one.
void setFigures(RunState& state, const NamedTensors& tensors);

} // namespace accrue
