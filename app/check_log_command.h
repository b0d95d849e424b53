// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"
#include "app/console.h"

namespace accrue {

// `accrue doctor --check-log`: looks through the whole run log for damage. Returns the exit code, 1
// where there is any. Throws as the commands do.
int checkLogCommand(const Arguments& arguments, Console& console);

} // namespace accrue
