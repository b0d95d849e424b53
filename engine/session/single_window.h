// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/window_sequence.h"
#include "engine/tensors/resident_data_set.h"

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

// One window of slices of these sizes, one after the other from the first sample on. Each sample
// has the weight 1 / samples of the window.
std::vector<Slice> windowOf(const std::vector<std::int64_t>& sizes);

// p_after − p_before of all parameters, flat, in double on the CPU: the effect of one update on the
// experiment's fresh model, from one window of the data set in its stored order. A session's window
// without the session, for checks and for warming up. Sets the process's numerics
// (numerics.h). Blocks. Throws what a TrainingWindow throws.
at::Tensor updateFrom(
    const Experiment& experiment, const ResidentDataSet& data, const std::vector<Slice>& window);

// ‖a − b‖ / ‖b‖ over all elements, in double.
double relativeDistance(const at::Tensor& a, const at::Tensor& b);

// Computes such a window of two models on blank pictures on the CPU, so that libraries are loaded
// and code is in memory before a run needs them. Blocks, 0.5 s. Ignores failures, because the next
// run meets them again and can report them.
void runFirstOperators();

} // namespace accrue
