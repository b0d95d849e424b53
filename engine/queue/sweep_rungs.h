// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/queue/queue_edit.h"
#include "engine/runlog/log_connection.h"
#include "engine/runs/run_record.h"

#include <vector>

namespace accrue {

// Successive halving (engine/sweep/halving.h) of the sweeps whose runs are in a queue. A run that
// has trained until its rung waits there; once all runs of its sweep have reached theirs or ended,
// the best go on, and the others end.

// Decides every rung that all have reached, within the caller's transaction. Returns the runs that
// have ended by it: stopped, with the reason, and no longer in the queue. Throws SQLite::Exception.
std::vector<RunId> decideRungs(LogConnection& connection, QueueEdit& edit);

// Whether runs wait at a rung for nothing but runs that somebody trains at this moment: once those
// have reached it, the queue goes on.
bool awaitsOthers(const std::vector<QueueEntry>& entries);

} // namespace accrue
