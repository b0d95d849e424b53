// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/window/parameter_holder.h"
#include "engine/window/pass_calls.h"

#include <memory>

namespace accrue {

// `network` (borrowed) is on its device and in its final type; `calls` (borrowed) reaches the other
// ranks, within a pass and between two.
std::unique_ptr<ParameterHolder> holderOf(
    const Experiment& experiment, Network& network, PassCalls& calls);

} // namespace accrue
