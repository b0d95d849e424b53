// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/log_connection.h"
#include "engine/runs/run_record.h"

#include <optional>
#include <string>

namespace accrue {

// The progress of the run by its rows that are not superseded, and their summaries.
LoggedProgress progressInRows(SQLite::Database& database, RunId run);

// The two halves of RunLogWriter::resumeRun, within the caller's transaction.
struct ResumableRun {
    RunRecord record;
    std::string token;
};
// Throws RunLogError if the run does not exist, is damaged or cannot be resumed from `from` with
// the settings `now`.
ResumableRun requireResumable(LogConnection& connection, RunId run, const ResumePoint& from,
    const std::optional<ResolvedExperiment>& now);
// Counts an attempt that resumes from `from` with the settings `now`, and returns the progress of
// the run without the rows that the attempt supersedes.
LoggedProgress beginAttempt(LogConnection& connection, const ResumableRun& resumed,
    const ResumePoint& from, const std::optional<ResolvedExperiment>& now);

} // namespace accrue
