// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commands/scaling_outlook.h"

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace accrue {

// Measured windows, the law of their time, and what is extrapolated from it, as `accrue scale`
// prints them. Throws InputError if a link is requested that was not measured.
std::string scalingText(
    const MeasuredScaling& measured, const OutlookRequest& request, bool colours);
nlohmann::ordered_json scalingJson(const MeasuredScaling& measured, const OutlookRequest& request);

// The throughput of a point against that of as many single ranks with the same N; NaN: that was not
// measured.
double efficiencyOf(const ScaledWindows& one, const std::vector<ScaledWindows>& all);
std::string wayOf(bool everyMicroBatch);

} // namespace accrue
