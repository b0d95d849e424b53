// SPDX-License-Identifier: Apache-2.0
#include "app/log_access.h"

#include "app/progress_lines.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/format.h"
#include "engine/base/places.h"
#include "engine/runs/run_query.h"
#include "engine/runs/settled_settings.h"

#include <algorithm>
#include <set>
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
        throw InputError(Message("cli.empty_run_log", { { "file", defaultRunLog().string() } }));
    if (!isLogged(arguments))
        throw InputError(Message("cli.run_log_needed", { { "command", arguments.command } }));
    return *arguments.runLog;
}

std::string logOption(const Arguments& arguments)
{
    // The user types or copies this line, so it must name the same log.
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
    // Only a missing file is an empty log. One that cannot be examined is an error, which opening
    // reports.
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
        throw InputError(
            Message("cli.no_run_log_yet", { { "file", runLogOf(arguments).string() } }));
    ChosenRuns chosen { std::move(*log), {} };
    for (const std::string& name : names) {
        const RunId id = chosen.log.resolve(name);
        // The same run may be given by its number and by its name.
        if (std::find(chosen.ids.begin(), chosen.ids.end(), id) == chosen.ids.end())
            chosen.ids.push_back(id);
    }
    return chosen;
}

void applyFilter(std::vector<RunRecord>& runs, const Arguments& arguments)
{
    const RunQuery query = RunQuery::parse(arguments.filter.value_or(""), keysOfOthers(runs));
    if (!query.problem().empty())
        throw InputError(Message("cli.wrong_filter", { { "problem", query.problem() } }));
    std::erase_if(runs, [&](const RunRecord& run) { return !query.matches(run); });
}

std::vector<RunRecord> runsInQuestion(RunLogReader& log, const Arguments& arguments)
{
    std::vector<RunRecord> runs;
    if (arguments.operands.empty())
        runs = log.runs();
    std::set<RunId> known;
    for (const std::string& name : arguments.operands)
        if (const RunId id = log.resolve(name); known.insert(id).second)
            runs.push_back(log.run(id));
    const std::size_t all = runs.size();
    applyFilter(runs, arguments);
    if (all == 0)
        throw InputError(Message("cli.no_runs", { { "file", runLogOf(arguments).string() } }));
    if (runs.empty())
        throw InputError(Message("cli.no_run_matches",
            { { "runs", countOfRuns(all) }, { "filter", arguments.filter.value_or("") } }));
    return runs;
}

std::vector<RunSummaries> summariesOf(RunLogReader& log, const std::vector<RunRecord>& runs)
{
    std::vector<RunSummaries> all;
    all.reserve(runs.size());
    for (const RunRecord& run : runs)
        all.push_back({ run.id, log.summaries(run.id), {} });
    return all;
}

void requireRuns(const Arguments& arguments, std::size_t least)
{
    const std::string& command = arguments.command;
    if (arguments.operands.size() >= least)
        return;
    if (least > 1)
        throw InputError(Message("cli.runs_needed", { { "command", command } }));
    throw InputError(Message("cli.run_needed", { { "command", command } }));
}

bool isCsvToOutput(const Arguments& arguments)
{
    return arguments.csv == "-";
}

void refuseJsonBesideCsv(const Arguments& arguments)
{
    if (isCsvToOutput(arguments) && arguments.json)
        throw InputError(Message("cli.json_beside_csv"));
}

std::vector<LogDamage> exportRuns(ChosenRuns& chosen, decltype(exportSeriesCsv)& write,
    const Arguments& arguments, Console& console)
{
    CsvTarget target = std::filesystem::path(arguments.csv);
    if (isCsvToOutput(arguments))
        target = CsvTarget([&console](std::string_view text) { console.print(text); });
    std::vector<LogDamage> leftOut;
    write(
        // A reader such as `head` has seen enough; exporting on would write into a closed pipe.
        chosen.log, chosen.ids, target, [&console](double) { return !console.outputError(); },
        arguments.damaged ? &leftOut : nullptr);
    for (const LogDamage& damage : leftOut)
        console.warn(Message("cli.left_out_of_the_file", { { "damage", describe(damage) } }));
    return leftOut;
}

std::string labelOf(const RunRecord& run)
{
    return printable("#" + std::to_string(numberOf(run.id)) + " " + run.name);
}

Message countOfRuns(std::size_t count)
{
    return Message("cli.count_of_runs", { { "count", count } });
}

std::string dateText(std::int64_t unixMs)
{
    return unixMs == 0 ? std::string() : localTime(unixMs / 1000, "%Y-%m-%d %H:%M");
}

} // namespace accrue
