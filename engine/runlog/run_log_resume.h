// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/log_connection.h"
#include "engine/runlog/run_record.h"

#include <string>

namespace accrue {

// How far the run is by its rows that are not superseded, and their summaries.
LoggedProgress progressInRows(SQLite::Database& database, RunId run);

// These are the two halves of RunLogWriter::resumeRun, within the caller's transaction.
// Throws RunLogError where the run is not there, is damaged or cannot be resumed; returns its
// token.
std::string requireResumable(LogConnection& connection, RunId run);
// Counts an attempt that goes on from `from`, and returns how far the run is with all that is not
// superseded by it.
LoggedProgress beginAttempt(LogConnection& connection, RunId run, const ResumePoint& from);

} // namespace accrue
