// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/sqlite_types.h"

namespace accrue {

// Doubles in ANY columns: a finite value is a REAL, the others are the texts 'nan', 'inf' and
// '-inf' (SQLite would turn NaN into NULL), NULL is an absent value.
void bindNumber(SQLite::Statement& statement, int index, double value);
double storedNumber(const SQLite::Column& column); // NaN if it is NULL

} // namespace accrue
