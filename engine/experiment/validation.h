// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"

#include <string>
#include <vector>

namespace accrue {

// Everything that can be said about an experiment without data, device or engine: all findings at
// once, errors and warnings, those of solveBatch included. Pure; any thread.
Findings validate(const Experiment& experiment);
// And that it has a name, which a run needs so that people find it again.
Findings validateForRun(const Experiment& experiment);
// Keys that nothing reads in this experiment, whatever they are set to: `model.widths` of a LeNet.
// `validate` warns of those that differ from their default. Pure; any thread.
std::vector<std::string> unreadKeys(const Experiment& experiment);
// The same training: what nothing reads has its default. Pure; any thread.
Experiment withoutUnreadSettings(Experiment experiment);

} // namespace accrue
