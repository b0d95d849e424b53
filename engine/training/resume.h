// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/window_sequence.h"
#include "engine/training/checkpoint.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace accrue {

// Whether the run of `request` over a training set of `samples`, whose windows are `windows`, can
// go on from `checkpoint`: what checkResumedSettings says, the same data (`data`, those that are
// there), and a place that a run comes to. Throws EngineError with a sentence that names what
// differs.
void checkResumable(const Checkpoint& checkpoint, const TrainRequest& request,
    const WindowSequence& windows, std::int64_t samples, const DataIdentity& data);

// Engine::inspect.
SavedCheckpoint inspectCheckpoint(const std::filesystem::path& folder);

// Engine::resumeProblem.
std::string resumeProblem(const DataIdentity& trained, const TrainRequest& request);

} // namespace accrue
