// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"
#include "app/console.h"
#include "engine/exchange/csv.h"
#include "engine/report/run_comparison.h"
#include "engine/runlog/run_log_reader.h"
#include "engine/runlog/run_log_writer.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// The run log that a command's arguments name, and what commands read from it or write to it.

// False with --db none, which train and equivalence accept.
bool isLogged(const Arguments& arguments);
// --db, otherwise the default log. Throws InputError for "none".
std::filesystem::path runLogOf(const Arguments& arguments);

// " --db FILE" as a shell reads it; empty if the default log is used.
std::string logOption(const Arguments& arguments);
// "accrue resume 12", with the log if it is not the default one.
std::string resumeCall(const Arguments& arguments, RunId run);

// Empty if the log does not exist. Throws RunLogError.
std::optional<RunLogReader> openExistingLog(const Arguments& arguments);

// Creates it if it does not exist; slow work on an older one is shown. Throws RunLogError.
std::unique_ptr<RunLogWriter> openToWrite(const Arguments& arguments, Console& console);

// Opens the log and resolves names to runs, in order, each once. Throws InputError if the log does
// not exist, RunLogError with the candidates if a run does not exist.
struct ChosenRuns {
    RunLogReader log;
    std::vector<RunId> ids;
};
ChosenRuns chooseRuns(const Arguments& arguments, const std::vector<std::string>& names);

// Removes the runs that --filter does not match. Throws InputError if it is not understood.
void applyFilter(std::vector<RunRecord>& runs, const Arguments& arguments);
// The runs of the operands, without operands those that are not archived and that --filter
// matches. Throws as chooseRuns, and InputError if there are none.
std::vector<RunRecord> runsInQuestion(RunLogReader& log, const Arguments& arguments);
// Their summaries, in the same order.
std::vector<RunSummaries> summariesOf(RunLogReader& log, const std::vector<RunRecord>& runs);

// Throws InputError if the command names fewer runs than `least`, 1 or 2.
void requireRuns(const Arguments& arguments, std::size_t least);

// ---- CSV --------------------------------------------------------------------------------------

// --csv -: CSV goes to the standard output.
bool isCsvToOutput(const Arguments& arguments);
// Throws InputError if CSV and JSON would both go there.
void refuseJsonBesideCsv(const Arguments& arguments);
// Exports the chosen runs to the target of --csv, until the reader of the standard output has gone
// away. Returns the damage that was left out of the file (--damaged) and is printed. Throws
// RunLogError.
std::vector<LogDamage> exportRuns(ChosenRuns& chosen, decltype(exportSeriesCsv)& write,
    const Arguments& arguments, Console& console);

// ---- text -------------------------------------------------------------------------------------

// "#12 lenet5", printable.
std::string labelOf(const RunRecord& run);
// "1 run", "1 200 runs"
Message countOfRuns(std::size_t count);
// "2026-03-01 14:05", local time; empty for 0.
std::string dateText(std::int64_t unixMs);

} // namespace accrue
