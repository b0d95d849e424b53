// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"

namespace accrue {

// What keeps a run that was trained as `before` says from going on as `now` says; both validated.
// Name, place of the data, length of the run, device, threads, evaluation and checkpoints may
// differ, and, unless `windowIsOpen`, how the same effective batch is cut. Pure; any thread.
Findings checkResumedSettings(const Experiment& before, const Experiment& now, bool windowIsOpen);

} // namespace accrue
