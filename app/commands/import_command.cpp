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

#include <set>
#include <string>
#include <system_error>
#include <vector>

namespace accrue {

namespace {

namespace fs = std::filesystem;

void importFolders(const std::vector<EventFolder>& folders, const fs::path& folder,
    RunImport& import, ImportReport& report)
{
    std::set<std::string> tokens;
    for (const EventFolder& events : folders) {
        const ReadEvents read = readEvents(events, folder);
        for (const Message& problem : read.problems)
            report.addProblem(problem);
        if (!read.run)
            continue;
        if (tokens.insert(read.run->token).second)
            report.add(import.add(*read.run), read.run->name);
        else
            report.addProblem(
                Message("exchange.same_events", { { "folder", printable(read.run->origin) } }));
    }
}

int importTensorBoard(const Arguments& arguments, Console& console)
{
    const fs::path folder = arguments.tensorBoard;
    const std::vector<EventFolder> folders = eventFoldersIn(folder);
    ImportReport report(arguments, console);
    if (!folders.empty()) {
        LogProgressLine line(console);
        RunImport import(runLogOf(arguments), line.progress());
        importFolders(folders, folder, import, report);
    }
    if (report.isEmpty())
        throw InputError(Message("exchange.no_events", { { "folder", folder.string() } }));
    report.print(folder.string());
    return kExitDone;
}

void refuseItself(const fs::path& other, const fs::path& target)
{
    std::error_code notThere;
    if (fs::equivalent(other, target, notThere))
        throw InputError(Message("cli.import_of_itself", { { "file", other.string() } }));
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
    for (const LogDamage& damage : merge.leftOut)
        report.addProblem(Message("cli.not_imported", { { "damage", describe(damage) } }));
    for (const auto* problems : { &merge.notes, &merge.failures })
        for (const Message& problem : *problems)
            report.addProblem(problem);
    return merge.failures.empty();
}

int importLogs(const Arguments& arguments, Console& console)
{
    const fs::path target = runLogOf(arguments);
    std::string from;
    for (const std::string& file : arguments.operands) {
        refuseItself(file, target);
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
