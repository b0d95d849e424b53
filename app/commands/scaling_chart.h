// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/scaling_windows.h"

#include <string>
#include <vector>

namespace accrue {

// A picture (SVG) of measured windows against the accumulation steps N: samples per second,
// efficiency, share of communication and bytes sent. A line for each number of devices and each
// link, solid if gradients are added up once per window, dashed if after each micro-batch. Of
// points with shards it has none, unless all have them.
std::string scalingChart(const std::vector<ScaledWindows>& windows);

} // namespace accrue
