// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/resident_data_set.h"
#include "engine/experiment/experiment.h"

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

// All parameters, flat, in double on the CPU, after one update of the experiment's fresh model: a
// window of the data set's first samples, cut into `slices`. The parts of a session without the
// session: for checks and for warming up. Blocks. Throws what its parts throw.
at::Tensor parametersAfterOneUpdate(const Experiment& experiment, const ResidentDataSet& data,
    const std::vector<std::int64_t>& slices);

// ‖a − b‖ / ‖b‖ over all elements, in double.
double relativeDistance(const at::Tensor& a, const at::Tensor& b);

} // namespace accrue
