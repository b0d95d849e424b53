// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"

namespace accrue {

// Everything that can be said about an experiment without data, device or engine: all findings at
// once, errors and warnings, those of solveBatch included. Pure; any thread.
Findings validate(const Experiment& experiment);

} // namespace accrue
