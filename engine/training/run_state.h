// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/window_sequence.h"
#include "engine/model/named_tensors.h"
#include "engine/training/loss_scale.h"

#include <cstdint>

namespace accrue {

// What a run has done so far.
struct Position {
    std::int64_t epoch = 0; // begun; 0 before the first
    std::int64_t step = 0; // windows that closed
    std::int64_t samples = 0;
    std::int64_t microBatches = 0;
    double seconds = 0; // training time
};

// Of samples whose figures were read.
struct Sums {
    double loss = 0;
    std::int64_t correct = 0;
    std::int64_t samples = 0;
    friend bool operator==(const Sums&, const Sums&) = default;
};

// All that a session counts: with the tensors of its parts, everything that the next micro-batch
// and the next log row are made from. A value.
struct RunState {
    Position position; // at the end of the last micro-batch; step and seconds of the last window;
                       // in a checkpoint its own seconds
    WindowCursor cursor; // likewise
    std::uint32_t slicesDone = 0; // of the window that is open
    std::int64_t lastUpdate = 0; // last step that reached the parameters
    std::int64_t lastEvaluation = 0; // step of the last evaluation
    Sums epoch; // of this epoch, refused windows left out
    Sums carried; // of them, those in a window that a later epoch closes
    double factor = 1; // on the schedule, as last used
    std::int64_t micro = 0; // b in force, smaller than planned once memory was short; 0: as planned
    LossScale lossScale; // of the window that is open, or else of the next one
    double evaluationNext = 0; // where along its span the next one is due
    double checkpointNext = 0;
    double best = 0; // greatest accuracy that was evaluated; below 0: none was
};

// The figures of a state that are no whole numbers of a position, exactly.
NamedTensors figuresOf(const RunState& state);
// Takes them back. Throws EngineError where one is missing, of another shape, or no count where it
// must be one.
void takeFigures(RunState& state, const NamedTensors& tensors);

} // namespace accrue
