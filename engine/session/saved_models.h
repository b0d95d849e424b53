// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"

namespace accrue {

// The door's functions for saved models (door/engine.h). Both block, throw nothing and change
// nothing on disk.

// Uses the whole process as a run does, so only one may run at a time.
CheckpointFigures evaluateCheckpoint(const EvaluationRequest& request);

ParameterDistance parameterDistance(const std::filesystem::path& a, const std::filesystem::path& b);

} // namespace accrue
