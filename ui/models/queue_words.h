// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/queue_outlook.h"

#include <QString>

#include <vector>

namespace accrue {

// What the window says of a queue. Pure, except that the end of the queue is counted from now.

// "1 run is training · 3 wait · 1:20 left, until 14:20"; the end only while something trains and
// the queue is not held.
QString outlookText(const QueueOutlook& outlook);
// "3 queued, until 14:20"; empty: nothing waits.
QString queuedText(const QueueOutlook& outlook);

// Why the run waits, in a few words: "queued", "held", "at rung 1 of 2, awaits 3 runs". `queue`:
// the runs of the queue.
QString queueStateText(const RunRecord& run, const std::vector<RunRecord>& queue);
// The same in whole sentences; empty: there is no more to say.
QString queueStateMeaning(const RunRecord& run, const std::vector<RunRecord>& queue);

// "4 stopped by halving": runs of the sweeps in the queue that successive halving has ended; empty:
// none. `runs`: of the whole log.
QString halvedText(const std::vector<RunRecord>& runs);
QString halvedMeaning(const std::vector<RunRecord>& runs); // each with its reason, a line for each

} // namespace accrue
