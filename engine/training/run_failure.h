// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"

#include <exception>
#include <string>

#include <c10/core/Device.h>

namespace accrue {

// How a run ends that an exception ended.
struct RunFailure {
    RunOutcome outcome = RunOutcome::Failed;
    std::string message; // for the user: no C++ back-trace
};

// `micro`: samples a micro-batch, for the advice; 0 where it is not known yet.
RunFailure describeFailure(
    const std::exception_ptr& failure, at::Device device, std::int64_t micro);

} // namespace accrue
