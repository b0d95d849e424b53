// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace SQLite {
class Column;
class Statement;
} // namespace SQLite

namespace accrue {

// Doubles in ANY columns: a finite value is a REAL, the others are the texts 'nan', 'inf' and
// '-inf' (SQLite would turn NaN into NULL), NULL is an absent value.
void bindNumber(SQLite::Statement& statement, int index, double value);
void bindNumber(SQLite::Statement& statement, int index, const std::optional<double>& value);
double storedNumber(const SQLite::Column& column); // NaN where it is NULL
std::optional<double> storedOptional(const SQLite::Column& column);

} // namespace accrue
