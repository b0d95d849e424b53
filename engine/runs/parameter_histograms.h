// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/parameter_histogram.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accrue {

struct HistogramAtStep {
    std::int64_t step = 0;
    ParameterHistogram histogram;
    double seconds = 0; // of training
};

// What a run has: names in the order of the network. Both empty: it has none.
struct HistogramNames {
    std::vector<std::string> parameters;
    bool hasGradients = false;
};

} // namespace accrue
