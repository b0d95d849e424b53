// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"

#include <string>
#include <vector>

namespace accrue {

// Everything that can be determined about an experiment without data, device or engine: all
// findings at once, errors and warnings, including those of resolve (resolved.h). Pure; any thread.
Findings validate(const Experiment& experiment);
// Also requires a name, by which people find its run again.
Findings validateForRun(const Experiment& experiment);
// Keys without effect in this experiment, whatever their values: `model.widths` of a LeNet.
// `validate` warns about those that differ from their default. Pure; any thread.
std::vector<std::string> unreadKeys(const Experiment& experiment);
// The same training with the default of every key without effect. Pure; any thread.
Experiment withoutUnreadSettings(Experiment experiment);

} // namespace accrue
