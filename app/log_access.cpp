// SPDX-License-Identifier: Apache-2.0
#include "app/log_access.h"

#include "app/log_progress_line.h"
#include "app/text_table.h"
#include "app/wrong_input.h"
#include "engine/experiment/format.h"
#include "engine/experiment/places.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <system_error>
#include <utility>

namespace accrue {

bool isLogged(const Arguments& arguments)
{
    return arguments.runLog != "none";
}

std::filesystem::path runLogOf(const Arguments& arguments)
{
    if (!arguments.runLog)
        return defaultRunLog();
    if (arguments.runLog->empty())
        throw WrongInput("--db is empty; name the file of a run log, or leave --db out for "
            + defaultRunLog().string() + ".");
    if (!isLogged(arguments))
        throw WrongInput("--db none is for train and equivalence only; " + arguments.command
            + " needs the file of a run log.");
    return *arguments.runLog;
}

std::string logOption(const Arguments& arguments)
{
    return arguments.runLog ? " --db '" + *arguments.runLog + "'" : "";
}

std::string resumeCall(const Arguments& arguments, RunId run)
{
    return "accrue resume " + std::to_string(numberOf(run)) + logOption(arguments);
}

std::optional<RunLogReader> openExistingLog(const Arguments& arguments)
{
    const std::filesystem::path file = runLogOf(arguments);
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (status.type() == std::filesystem::file_type::not_found)
        return std::nullopt;
    return RunLogReader(file);
}

std::unique_ptr<RunLogWriter> openToWrite(const Arguments& arguments, Console& console)
{
    LogProgressLine line(console);
    return std::make_unique<RunLogWriter>(runLogOf(arguments), line.progress());
}

ChosenRuns chooseRuns(const Arguments& arguments, const std::vector<std::string>& names)
{
    std::optional<RunLogReader> log = openExistingLog(arguments);
    if (!log)
        throw WrongInput("There is no run log " + runLogOf(arguments).string()
            + " yet; train something first, or name another with --db.");
    ChosenRuns chosen { std::move(*log), {} };
    for (const std::string& name : names) {
        const RunId id = chosen.log.resolve(name);
        if (std::find(chosen.ids.begin(), chosen.ids.end(), id) == chosen.ids.end())
            chosen.ids.push_back(id);
    }
    return chosen;
}

void sayLeftOut(const std::vector<LogDamage>& leftOut, Console& console)
{
    for (const LogDamage& damage : leftOut)
        console.warn("Left out of the file: " + describe(damage) + ".");
}

std::string labelOf(const RunRecord& run)
{
    return printable("#" + std::to_string(numberOf(run.id)) + " " + run.name);
}

std::string countOfRuns(std::size_t count)
{
    return formatCount(static_cast<std::int64_t>(count)) + (count == 1 ? " run" : " runs");
}

std::string dateText(std::int64_t unixMs)
{
    if (unixMs == 0)
        return {};
    const auto seconds = static_cast<std::time_t>(unixMs / 1000);
    std::tm local {};
    localtime_r(&seconds, &local);
    std::array<char, 32> text {};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &local);
    return { text.data(), length };
}

} // namespace accrue
