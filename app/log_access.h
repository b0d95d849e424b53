// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"
#include "app/console.h"
#include "engine/runlog/run_log_reader.h"
#include "engine/runlog/run_log_writer.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// False with --db none, which train and equivalence take.
bool isLogged(const Arguments& arguments);
// --db, otherwise the default log. Throws WrongInput for "none".
std::filesystem::path runLogOf(const Arguments& arguments);

// " --db FILE" as a shell reads it; empty where the default log is used.
std::string logOption(const Arguments& arguments);
// "accrue resume 12", with the log where that is another one.
std::string resumeCall(const Arguments& arguments, RunId run);

// Empty where the log does not exist. Throws RunLogError.
std::optional<RunLogReader> openExistingLog(const Arguments& arguments);

// Made where it does not exist; what takes long with an older one is shown. Throws RunLogError.
std::unique_ptr<RunLogWriter> openToWrite(const Arguments& arguments, Console& console);

// Opens the log and resolves names to runs, in order, each once. Throws WrongInput where the log
// does not exist, RunLogError with the candidates where a run does not.
struct ChosenRuns {
    RunLogReader log;
    std::vector<RunId> ids;
};
ChosenRuns chooseRuns(const Arguments& arguments, const std::vector<std::string>& names);

// What a CSV file was written without.
void sayLeftOut(const std::vector<LogDamage>& leftOut, Console& console);

// "#12 lenet5", printable.
std::string labelOf(const RunRecord& run);
// "1 run", "1 200 runs"
std::string countOfRuns(std::size_t count);
// "2026-03-01 14:05", local time; empty for 0.
std::string dateText(std::int64_t unixMs);

} // namespace accrue
