// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"

#include <string>
#include <vector>

namespace accrue {

// What keeps a run that was trained as `before` says from going on as `now` says; both validated.
// Name, place of the data, length of the run, device, threads, evaluation and checkpoints may
// differ, and, unless `windowIsOpen`, how the same effective batch is cut. Pure; any thread.
Findings checkResumedSettings(const Experiment& before, const Experiment& now, bool windowIsOpen);

// A setting by which two experiments make different updates.
struct SettingThatParts {
    std::string key;
    std::string first; // its values, as settingText has them
    std::string second;
};

// Why two experiments, both validated, cannot be one training; empty: they can. Name, device,
// threads, memory, tensor layout, run.deterministic, trace, evaluation, checkpoints and what
// has no effect may differ, and how the same effective batch is split, unless updates depend on it:
// with batch.reduction = "sum" and with BatchNorm. Pure; any thread.
std::vector<SettingThatParts> settingsThatPart(const Experiment& first, const Experiment& second);

} // namespace accrue
