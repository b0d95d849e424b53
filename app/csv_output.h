// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"
#include "app/console.h"
#include "engine/runlog/csv.h"

namespace accrue {

// --csv -: CSV goes to the standard output.
bool isCsvToOutput(const Arguments& arguments);
// Throws WrongInput where CSV and JSON would go there both.
void refuseJsonBesideCsv(const Arguments& arguments);
// Where --csv says; `console` is borrowed.
CsvTarget csvTarget(const Arguments& arguments, Console& console);
// Ends an export whose reader has gone away.
CsvProgress whileRead(const Console& console);

} // namespace accrue
