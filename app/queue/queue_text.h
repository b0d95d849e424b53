// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/text_table.h"
#include "engine/base/message.h"
#include "engine/runs/run_record.h"

#include <vector>

namespace accrue {

// What commands print about a queue and the runs that are taken from it.

// "#12 lenet5, b 8 × N 16 = B 128: begins"
Message beginningOf(const RunRecord& run, bool resumed);
// "#12 lenet5: completed, test accuracy 98.1 %, 0:12. 3 runs wait, about 4:10 left."; `runs`: all
// of the log.
Message endingOf(const RunRecord& run, const std::vector<RunRecord>& runs);
// "3 runs wait, about 4:10 left." or that none does; `isHeld`: the queue as a whole.
Message outlookText(const std::vector<RunRecord>& runs, bool isHeld = false);
// Names the runs that are held while others of their sweep wait for them at a rung; empty: none is.
Message heldText(const std::vector<RunRecord>& runs);
// The runs of the queue, in the order in which they are taken.
TextTable queueTable(const std::vector<RunRecord>& runs);

} // namespace accrue
