// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/parameter_histogram.h"

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

struct HistogramSource {
    std::string parameter;
    HistogramOf of = HistogramOf::Value;
    at::Tensor tensor; // floating point, any device, not empty; must be alike for all
};

// The histogram of each of them with `bins` equal bins, in their order; as numpy.histogram of the
// values in double. Reads each tensor twice, in pieces, so that it needs a few MB of the device
// only; from a device, one small table is copied to the host. Gives the same result whatever else
// is computed, and changes nothing. Blocks. Throws what LibTorch throws.
std::vector<ParameterHistogram> histogramsOf(
    const std::vector<HistogramSource>& sources, std::size_t bins = kHistogramBins);

} // namespace accrue
