// SPDX-License-Identifier: Apache-2.0
#pragma once

// What headers of the run log name of SQLiteCpp, whose own headers are for sources.
namespace SQLite {
class Column;
class Database;
class Statement;
} // namespace SQLite
