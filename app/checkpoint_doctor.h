// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"
#include "app/console.h"

namespace accrue {

// doctor --check-checkpoints: reads every checkpoint of the log's runs, archived ones too, and
// holds it against the log. Returns the exit code: 1 where one is damaged. Blocks.
int checkCheckpoints(const Arguments& arguments, Console& console);

} // namespace accrue
