// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/resident_data_set.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/window_sequence.h"

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

// Slices of these sizes, one after the other from the first sample, that make one window: each
// sample has the weight 1 / samples of the window.
std::vector<Slice> windowOf(const std::vector<std::int64_t>& sizes);

// p_after − p_before of all parameters, flat, in double on the CPU: what one update of the
// experiment's fresh model changes, from one window of the data set in its stored order. The parts
// of a session without the session, for checks and for warming up. Sets the process's numerics
// (numerics.h). Blocks. Throws what its parts throw.
at::Tensor updateFrom(
    const Experiment& experiment, const ResidentDataSet& data, const std::vector<Slice>& window);

// ‖a − b‖ / ‖b‖ over all elements, in double.
double relativeDistance(const at::Tensor& a, const at::Tensor& b);

} // namespace accrue
