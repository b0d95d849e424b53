// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/commands/import_csv.h"
#include "app/commands/import_report.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/progress_lines.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/exchange/tensorboard_import.h"
#include "engine/runlog/log_merge.h"

#include <string>
#include <vector>

namespace accrue {

namespace {

namespace fs = std::filesystem;

int importTensorBoard(const Arguments& arguments, Console& console)
{
    const fs::path folder = arguments.tensorBoard;
    const std::vector<EventFolder> folders = eventFoldersIn(folder);
    ImportReport report(arguments, console);
    if (!folders.empty()) {
        LogProgressLine line(console);
        RunImport import(runLogOf(arguments), line.progress());
        const auto take = [&](const ForeignRun& run) {
            report.add(import.add(run), run.name);
            return true;
        };
        for (const Message& problem : readRuns(folders, folder, take))
            report.addProblem(problem);
    }
    if (report.isEmpty())
        throw InputError(noEventsIn(folder));
    report.print(folder.string());
    return kExitDone;
}

// False: a run was imported without the checkpoints that were requested.
bool importLog(const Arguments& arguments, Console& console, const fs::path& file,
    RunImport& import, ImportReport& report)
{
    LogProgressLine line(console);
    OtherLog other(file, line.progress());
    const LogMerge merge = mergeLog(import, other,
        { .damaged = arguments.damaged, .checkpoints = arguments.withCheckpoints },
        line.progress());
    for (const MergedRun& run : merge.runs)
        report.add({ run.run, run.result }, run.name);
    for (const Message& problem : problemsOf(merge))
        report.addProblem(problem);
    return merge.failures.empty();
}

int importLogs(const Arguments& arguments, Console& console)
{
    const fs::path target = runLogOf(arguments);
    std::string from;
    for (const std::string& file : arguments.operands) {
        if (file.empty())
            throw InputError(Message("cli.import_needs_a_source"));
        requireAnotherLog(file, target);
        from += (from.empty() ? "" : ", ") + file;
        OtherLog readable(file); // before the target is created or migrated
    }
    ImportReport report(arguments, console);
    bool complete = true;
    {
        LogProgressLine line(console);
        RunImport import(target, line.progress());
        for (const std::string& file : arguments.operands)
            complete = importLog(arguments, console, file, import, report) && complete;
    }
    report.print(from);
    return complete ? kExitDone : kExitFailed;
}

} // namespace

int importCommand(const Arguments& arguments, Console& console)
{
    const int sources = (arguments.operands.empty() ? 0 : 1)
        + (arguments.tensorBoard.empty() ? 0 : 1) + (arguments.csv.empty() ? 0 : 1);
    if (sources != 1)
        throw InputError(Message("cli.import_needs_a_source"));
    if (arguments.csv.empty() && (arguments.dryRun || !arguments.columnMap.empty()))
        throw InputError(Message("cli.map_of_csv_only"));
    if (!arguments.csv.empty())
        return importCsv(arguments, console);
    return arguments.operands.empty() ? importTensorBoard(arguments, console)
                                      : importLogs(arguments, console);
}

} // namespace accrue
