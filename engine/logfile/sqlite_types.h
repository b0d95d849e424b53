// SPDX-License-Identifier: Apache-2.0
#pragma once

// The types of SQLiteCpp that headers of the run log name. A header that is included outside of
// engine/logfile and engine/runlog does not include SQLiteCpp's own.
namespace SQLite {
class Database;
class Statement;
} // namespace SQLite
