// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"
#include "app/console.h"

namespace accrue {

// The checks of `accrue doctor` that read everything that is stored. Each blocks, returns the exit
// code, 1 if there is damage, and throws as the commands do.

// --check-log: reads the whole run log.
int checkLogCommand(const Arguments& arguments, Console& console);
// --check-checkpoints: reads every checkpoint of the log's runs, archived ones included, and
// compares it with the log.
int checkCheckpoints(const Arguments& arguments, Console& console);

} // namespace accrue
