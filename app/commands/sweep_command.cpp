// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/commands/sweep_listing.h"
#include "app/counts.h"
#include "app/exit_code.h"
#include "app/findings.h"
#include "app/log_access.h"
#include "app/requested_recipe.h"
#include "engine/base/error.h"
#include "engine/base/places.h"
#include "engine/base/shown_text.h"
#include "engine/events/json_list.h"
#include "engine/queue/run_queue.h"
#include "engine/report/sweep_outlook.h"
#include "engine/report/sweep_queue.h"
#include "engine/sweep/sweep_json.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

SweepOrder orderIn(const Arguments& arguments)
{
    if (!arguments.order)
        return SweepOrder::Given;
    std::vector<std::string> names;
    for (const SweepOrder order : { SweepOrder::Given, SweepOrder::Memory, SweepOrder::Time }) {
        if (*arguments.order == nameOf(order))
            return order;
        names.emplace_back(nameOf(order));
    }
    throw InputError(notAllowed("--order", shortened(*arguments.order), oneOf(names)));
}

void refuseErrors(const Findings& findings, const std::string& source, Console& console)
{
    printFindings(console, findings, source);
    if (hasErrors(findings))
        throw CommandEnd(kExitWrongInput);
}

// Which of the two values is meant is unknown.
void requireUnset(const SweepAxis& axis, const RequestedRecipe& asked)
{
    const auto option = asked.places.options.find(axis.key);
    if (option != asked.places.options.end())
        throw InputError(Message("cli.key_set_twice",
            { { "key", axis.key }, { "first", option->second },
                { "second", shortened("--vary " + key::assignment(axis.key, textOf(axis))) } }));
}

std::vector<SweepAxis> axesIn(
    const Arguments& arguments, const RequestedRecipe& asked, Console& console)
{
    std::vector<SweepAxis> axes;
    Findings problems;
    for (const std::string& text : arguments.vary) {
        ParsedAxis parsed = parseAxis(text);
        append(problems, parsed.problems);
        if (!parsed.axis)
            continue;
        requireUnset(*parsed.axis, asked);
        axes.push_back(*std::move(parsed.axis));
    }
    refuseErrors(problems, "--vary", console);
    return axes;
}

SweepDefinition askedSweep(const Arguments& arguments, Console& console)
{
    SweepDefinition sweep;
    sweep.seeds = countOf(arguments.seeds, "--seeds", 1, kMostSweepRuns);
    sweep.random = countOf(arguments.random, "--random", 0, kMostSweepRuns);
    sweep.keepsEffective = arguments.keepEffective;
    sweep.order = orderIn(arguments);
    sweep.halving = countOf(arguments.halving, "--halving", 0, kMostSweepRuns);
    const RequestedRecipe asked =
        askedRecipe(arguments, console, Message("cli.recipe_to_sweep_needed"));
    sweep.base = asked.experiment();
    sweep.axes = axesIn(arguments, asked, console);
    refuseErrors(checkSweep(sweep), "sweep", console);
    return sweep;
}

SweepRuns runsOf(const SweepDefinition& sweep, const Arguments& arguments)
{
    SweepRuns expanded = expand(sweep);
    std::optional<RunLogReader> log = openExistingLog(arguments);
    SweepOutlook outlook(log ? &*log : nullptr, dataDirectories(arguments.data));
    for (SweepRun& run : expanded.runs)
        outlook.addTo(run);
    order(expanded.runs, sweep.order);
    return expanded;
}

QueuedRuns enqueue(const SweepDefinition& sweep, const SweepRuns& expanded,
    const Arguments& arguments, Console& console)
{
    const auto log = openToWrite(arguments, console);
    return RunQueue(*log).add(runsToQueue(sweep, expanded.runs), sweepToQueue(sweep));
}

void addQueued(Json& json, const QueuedRuns& queued)
{
    json["sweep"] = queued.sweep;
    json["queued"] = jsonList(queued.runs, numberOf);
}

std::string queuedText(const QueuedRuns& queued, const Arguments& arguments)
{
    const bool isOne = queued.runs.size() == 1;
    return Message(isOne ? "cli.sweep_queued_one" : "cli.sweep_queued",
               { { "count", queued.runs.size() }, { "sweep", queued.sweep },
                   { "first", numberOf(queued.runs.front()) },
                   { "last", numberOf(queued.runs.back()) },
                   { "call", "accrue work" + logOption(arguments) } })
               .text()
        + "\n";
}

} // namespace

int sweepCommand(const Arguments& arguments, Console& console)
{
    const SweepDefinition sweep = askedSweep(arguments, console);
    const SweepRuns expanded = runsOf(sweep, arguments);
    Json json = sweepJson(sweep, expanded);
    std::string text = sweepText(expanded, console.terminal().colours);
    const bool isPossible = totalsOf(expanded.runs).runs > 0;
    if (isPossible && !arguments.dryRun) {
        const QueuedRuns queued = enqueue(sweep, expanded, arguments, console);
        addQueued(json, queued);
        text += queuedText(queued, arguments);
    }
    console.printResult(arguments.json, json, text);
    if (!isPossible)
        throw InputError(Message("cli.sweep_impossible_all"));
    return kExitDone;
}

} // namespace accrue
