// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"
#include "app/console.h"

namespace accrue {

// accrue import --csv: shows what the columns are, asks, imports. Returns the exit code. Throws as
// commands.h describes.
int importCsv(const Arguments& arguments, Console& console);

} // namespace accrue
