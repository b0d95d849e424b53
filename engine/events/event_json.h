// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"

#include <string>
#include <string_view>

namespace accrue {

// "completed", "stopped", "diverged", "out_of_memory", "failed": the words of JSON, SQL and files.
std::string_view nameOf(RunOutcome outcome);
// "run_started", "step", "epoch", "evaluation", "checkpoint", "learning_rate", "paused", "resumed",
// "message", "run_ended"
std::string_view nameOf(const Event& event);

// One line of `train --json` (no newline): an object with `event` and snake_case fields. Non-finite
// numbers are the strings "nan", "inf", "-inf", because JSON has none. A RunStarted gives two
// lines: run_started and plan.
std::string toJsonLines(const Event& event);

} // namespace accrue
