// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/log_connection.h"
#include "engine/runs/run_record.h"

#include <optional>
#include <string>

namespace accrue {

// How far the run is by its rows that are not superseded, and their summaries.
LoggedProgress progressInRows(SQLite::Database& database, RunId run);

// These are the two halves of RunLogWriter::resumeRun, within the caller's transaction.
struct ResumableRun {
    RunRecord record;
    std::string token;
};
// Throws RunLogError where the run is not there, is damaged or cannot be resumed from `from` with
// the settings `now`.
ResumableRun requireResumable(LogConnection& connection, RunId run, const ResumePoint& from,
    const std::optional<ResolvedExperiment>& now);
// Counts an attempt that goes on from `from` with the settings `now`, and returns how far the run
// is with all that is not superseded by it.
LoggedProgress beginAttempt(LogConnection& connection, const ResumableRun& resumed,
    const ResumePoint& from, const std::optional<ResolvedExperiment>& now);

} // namespace accrue
