// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"

namespace accrue {

// How many of `samples` training samples data.validation holds out: its count, or its share rounded
// to the nearest whole number. Not checked against `samples`.
std::int64_t heldOutOf(const HeldOut& heldOut, std::int64_t samples);

// An error where something is held out and either side would be left without a sample.
Findings checkHeldOut(const Experiment& experiment, std::int64_t samples);

} // namespace accrue
