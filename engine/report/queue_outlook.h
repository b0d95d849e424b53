// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace accrue {

// What is left of a queue.
struct QueueOutlook {
    std::size_t waiting = 0; // that will be taken
    std::size_t held = 0;
    std::size_t atRung = 0; // that wait for the others of their sweep; some of them will be stopped
    std::size_t training = 0; // taken by a worker
    std::size_t unknown = 0; // of those that wait or train: nobody can tell how long they take
    double seconds = 0; // of training left in the others, one after the other
    bool isHeld = false; // as a whole: no worker takes anything
};

// `isHeld`: the queue as a whole is. Pure.
QueueOutlook outlookOf(const std::vector<RunRecord>& runs, bool isHeld = false);

// Training time that a run has left: by its own pace, otherwise as predicted when it was queued.
// Empty: neither is known.
std::optional<double> secondsLeftOf(const RunRecord& run);

// The runs that are held while others of their sweep wait for them at a rung. Pure.
std::vector<RunRecord> heldBeforeRung(const std::vector<RunRecord>& runs);

// The runs of its sweep that a run which waits at a rung waits for. `queue`: all runs of the queue,
// to which the result points. Pure.
std::vector<const RunRecord*> awaitedAtRung(
    const RunRecord& run, const std::vector<RunRecord>& queue);

// The runs of the queue in the order in which they are taken: those that train, those that were
// interrupted, then by position. Pure.
std::vector<RunRecord> queueOf(const std::vector<RunRecord>& runs);

} // namespace accrue
