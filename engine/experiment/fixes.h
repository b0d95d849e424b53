// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"

#include <cstdint>
#include <optional>
#include <string>

namespace accrue {

// Fixes that findings offer. Pure; any thread.

Fix setting(const std::string& key, const std::string& value); // "Set steps to 4"
Fix resetting(const std::string& key); // to its default
// Another norm, "none"; groups that may not fit it are auto, too.
Fix usingNorm(const std::string& norm, const Message& label, const ModelSettings& model);
Fix usingGroupNorm(const ModelSettings& model);
Fix correctingMomentum(); // of BatchNorm, for the N of each window

// A fix of a finding that resolve (resolved.h) or checkEpoch returned for `experiment`. `samples`
// is the size of the training set, if it is known. A fix is offered only after it was tried: the
// finding is gone and there is no new error. Empty: there is no one obvious change.
std::optional<Fix> suggestFix(
    const Experiment& experiment, const Finding& finding, std::optional<std::int64_t> samples = {});

// Makes the change; findings as those of applySetting, none for a fix of this experiment's
// findings.
Findings applyFix(Experiment& experiment, const Fix& fix);

} // namespace accrue
