// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"
#include "engine/queue/run_queue.h"
#include "engine/report/logged_training.h"
#include "engine/runlog/run_log_reader.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// How a worker trains what it takes from the queue.
struct WorkerTerms {
    std::vector<std::filesystem::path> dataDirectories; // searched in order
    std::optional<std::string> device; // in place of that of the runs
    int workersHere = 1; // that share the processors of this machine
};

// The order to train a run that was taken from the queue: from its beginning, or from its newest
// undamaged checkpoint, to its next rung if it has one left. Solves a b that follows the memory
// budget. Blocks. Throws Error with the reason if the run cannot be trained as it is in the log;
// what only the training itself finds, such as missing data, `trainInLog` throws.
TrainingOrder orderOfQueued(Engine& engine, RunLogReader& log, const TakenRun& taken,
    const WorkerTerms& terms, RunControl& control);

} // namespace accrue
