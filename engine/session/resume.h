// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/checkpoint/checkpoint.h"
#include "engine/door/engine.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/window_sequence.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace accrue {

// Checks whether the run of `request` over a training set of `samples`, whose windows are
// `windows`, can continue from `checkpoint`: with settings that checkResumedSettings allows, with
// the same data (`data` are those that were found), and from a position that a run reaches. Throws
// Error that names what differs.
void checkResumable(const Checkpoint& checkpoint, const TrainRequest& request,
    const WindowSequence& windows, std::int64_t samples, const DataIdentity& data);

// The micro-batch, in samples, that the run of `experiment` continues with if `planned` is its own:
// a smaller one after an out-of-memory error is retained, unless another split or budget is
// requested now. An open window always retains it, because the window was begun with it.
std::int64_t microToResume(
    const Checkpoint& checkpoint, const Experiment& experiment, std::int64_t planned);

// Differences between the data of the checkpoint and those that were found that do not prevent the
// run from continuing.
std::vector<Message> resumeWarnings(const DataIdentity& trained, const DataIdentity& now);

// Engine::inspect.
SavedCheckpoint inspectCheckpoint(const std::filesystem::path& folder);

// Engine::resumeProblem.
Message resumeProblem(const DataIdentity& trained, const TrainRequest& request);

} // namespace accrue
