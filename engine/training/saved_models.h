// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/saved_models.h"

namespace accrue {

// What the door promises of saved models (door/saved_models.h). Both block, throw nothing and
// change nothing on the disk.

// Belongs to the process as a run does: one at a time.
CheckpointFigures evaluateCheckpoint(const EvaluationRequest& request);

ParameterDistance parameterDistance(const std::filesystem::path& a, const std::filesystem::path& b);

} // namespace accrue
