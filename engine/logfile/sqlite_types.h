// SPDX-License-Identifier: Apache-2.0
#pragma once

// The types of SQLiteCpp that headers of the run log name; its own headers are only included in
// sources.
namespace SQLite {
class Column;
class Database;
class Statement;
} // namespace SQLite
