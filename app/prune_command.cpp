// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/runs_json.h"
#include "app/wrong_input.h"
#include "engine/experiment/format.h"
#include "engine/runlog/run_log_writer.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

void refuseLive(const RunRecord& run)
{
    if (isLive(run))
        throw WrongInput("Run " + labelOf(run)
            + " is being trained at this moment. Stop it before you delete it; nothing was "
              "deleted.");
    if (run.state == RunState::Unknown && !run.archived)
        throw WrongInput("Run " + labelOf(run) + " was begun on the host " + run.host
            + ", and whether it still trains there cannot be seen from here. Delete it there, or "
              "archive it first where you know that it has ended; nothing was deleted.");
}

// Those that are named, otherwise those that are archived.
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
        Json ids = Json::array();
        for (const RunId run : pruned.runs)
            ids.push_back(numberOf(run));
        const Json why = pruned.notCompacted.empty() ? Json() : Json(pruned.notCompacted);
        console.print(textOf(
            { { "runs", ids }, { "freed_bytes", pruned.bytesFreed }, { "not_compacted", why } }));
        return;
    }
    if (!pruned.runs.empty())
        console.print("Deleted " + countOfRuns(pruned.runs.size()) + ", "
            + formatBytes(pruned.bytesFreed) + " freed.\n");
    if (!pruned.notCompacted.empty())
        console.warn("The log itself could not be made smaller: " + pruned.notCompacted);
}

// After it was looked at, another process changed it.
void sayKept(const std::vector<RunRecord>& runs, const PrunedRuns& pruned, Console& console)
{
    for (const RunRecord& run : runs)
        if (std::find(pruned.runs.begin(), pruned.runs.end(), run.id) == pruned.runs.end())
            console.warn("Run " + labelOf(run)
                + " was not deleted: another process has just resumed, unarchived or deleted it.");
}

bool isAgreedTo(const std::vector<RunRecord>& runs, const Arguments& arguments, Console& console)
{
    std::string names;
    for (const RunRecord& run : runs)
        names += (names.empty() ? "" : ", ") + labelOf(run);
    if (arguments.yes)
        return true;
    if (!console.terminal().in)
        throw WrongInput("prune deletes " + countOfRuns(runs.size()) + " (" + names
            + ") and their checkpoints for good; without a terminal to ask on it needs --yes.");
    const bool agreed = console.ask("Delete " + names + " and their checkpoints for good?");
    if (!agreed)
        console.say("Nothing was deleted.");
    return agreed;
}

} // namespace

int pruneCommand(const Arguments& arguments, Console& console)
{
    const std::vector<RunRecord> runs = runsToDelete(arguments);
    if (runs.empty()) {
        report(arguments, console, {});
        if (!arguments.json)
            console.print("There are no archived runs to delete.\n");
        return kExitDone;
    }
    if (!isAgreedTo(runs, arguments, console))
        return kExitDone;
    std::vector<RunId> ids;
    ids.reserve(runs.size());
    for (const RunRecord& run : runs)
        ids.push_back(run.id);
    const std::unique_ptr<RunLogWriter> writer = openToWrite(arguments, console);
    const PrunedRuns pruned = arguments.operands.empty() ? writer->prune(ids) : writer->remove(ids);
    report(arguments, console, pruned);
    sayKept(runs, pruned, console);
    return pruned.runs.size() == runs.size() ? kExitDone : kExitFailed;
}

} // namespace accrue
