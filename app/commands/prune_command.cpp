// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/sentences.h"
#include "engine/events/json_list.h"
#include "engine/runlog/run_log_writer.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

void refuseLive(const RunRecord& run)
{
    if (isLive(run))
        throw InputError(Message("cli.live_run_not_deleted", { { "run", labelOf(run) } }));
    // Whoever archived it knows that it has ended, although its lock cannot be seen from here.
    if (run.state == RunState::Unknown && !run.archived)
        throw InputError(
            Message("cli.run_of_another_host", { { "run", labelOf(run) }, { "host", run.host } }));
}

// The named runs, otherwise the archived ones.
std::vector<RunRecord> runsToDelete(const Arguments& arguments)
{
    if (arguments.operands.empty()) {
        std::optional<RunLogReader> log = openExistingLog(arguments);
        return log ? log->prunable().runs : std::vector<RunRecord> {};
    }
    ChosenRuns chosen = chooseRuns(arguments, arguments.operands);
    std::vector<RunRecord> runs;
    for (const RunId id : chosen.ids) {
        runs.push_back(chosen.log.run(id));
        refuseLive(runs.back());
    }
    return runs;
}

void report(const Arguments& arguments, Console& console, const PrunedRuns& pruned)
{
    if (arguments.json) {
        const Json why = pruned.notCompacted.empty() ? Json() : Json(pruned.notCompacted.english());
        console.printJson({ { "runs", jsonList(pruned.runs, numberOf) },
            { "freed_bytes", pruned.bytesFreed }, { "not_compacted", why } });
        return;
    }
    if (!pruned.runs.empty())
        console.printLine(Message("cli.deleted",
            { { "runs", countOfRuns(pruned.runs.size()) },
                { "bytes", ByteCount { pruned.bytesFreed } } }));
    if (!pruned.notCompacted.empty())
        console.warn(Message("cli.log_not_compacted", { { "reason", pruned.notCompacted } }));
}

// Reports runs that another process changed between the check and the deletion.
void sayKept(const std::vector<RunRecord>& runs, const PrunedRuns& pruned, Console& console)
{
    for (const RunRecord& run : runs)
        if (std::find(pruned.runs.begin(), pruned.runs.end(), run.id) == pruned.runs.end())
            console.warn(Message("cli.run_not_deleted", { { "run", labelOf(run) } }));
}

bool isAgreedTo(const std::vector<RunRecord>& runs, const Arguments& arguments, Console& console)
{
    if (arguments.yes)
        return true;
    std::vector<std::string> all;
    all.reserve(runs.size());
    for (const RunRecord& run : runs)
        all.push_back(labelOf(run));
    const Message names = commaList(all);
    // Without a person to answer, a script must state that it means it.
    if (!console.terminal().in)
        throw InputError(Message(
            "cli.prune_needs_yes", { { "runs", countOfRuns(runs.size()) }, { "names", names } }));
    const bool agreed = console.ask(Message("cli.confirm_prune", { { "names", names } }));
    if (!agreed)
        console.say(Message("cli.nothing_deleted"));
    return agreed;
}

} // namespace

int pruneCommand(const Arguments& arguments, Console& console)
{
    const std::vector<RunRecord> runs = runsToDelete(arguments);
    if (runs.empty()) {
        // A script gets the same object, whether there was something to delete or not.
        report(arguments, console, {});
        if (!arguments.json)
            console.printLine(Message("cli.nothing_to_prune"));
        return kExitDone;
    }
    if (!isAgreedTo(runs, arguments, console))
        return kExitDone;
    std::vector<RunId> ids;
    ids.reserve(runs.size());
    for (const RunRecord& run : runs)
        ids.push_back(run.id);
    // Only after the confirmation, because opening may migrate the log.
    const std::unique_ptr<RunLogWriter> writer = openToWrite(arguments, console);
    // A run that was restored from the archive meanwhile is spared; a named run was meant as such.
    const PrunedRuns pruned =
        writer->prune(ids, arguments.operands.empty() ? Prunable::Archived : Prunable::Any);
    report(arguments, console, pruned);
    sayKept(runs, pruned, console);
    return pruned.runs.size() == runs.size() ? kExitDone : kExitFailed;
}

} // namespace accrue
