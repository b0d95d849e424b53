// SPDX-License-Identifier: Apache-2.0
#include "app/argument_parser.h"
#include "app/commands/commands.h"
#include "app/commands/scaling_chart.h"
#include "app/commands/scaling_points.h"
#include "app/commands/scaling_report.h"
#include "app/counts.h"
#include "app/engine_access.h"
#include "app/exit_code.h"
#include "app/requested_recipe.h"
#include "app/stop_signals.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/places.h"
#include "engine/report/scaling_windows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

namespace {

constexpr std::int64_t kMostCount = 1'000'000; // of devices, steps, windows, rounds
constexpr std::int64_t kMostBatch = 1'000'000'000'000;

std::vector<std::int64_t> countsOf(const std::vector<std::string>& texts, const char* option,
    const std::vector<std::int64_t>& byDefault)
{
    return texts.empty() ? byDefault : countsIn(texts, option, kMostCount);
}

// What the command was asked for, in numbers.
struct Wanted {
    explicit Wanted(const Arguments& arguments)
        : ranks(countsOf(arguments.rankCounts, "--ranks", { 1, 2 }))
        , steps(countsOf(arguments.stepCounts, "--steps", { 1, 2, 4, 8 }))
        , updates(countOf(arguments.updates, "--updates", 10, kMostCount))
        , rounds(countOf(arguments.rounds, "--rounds", 3, kMostCount))
        , outlook { .ranks = countsOf(arguments.predicted, "--predict", {}),
            .steps = steps,
            .critical = countOf(arguments.criticalBatch, "--critical-batch", 0, kMostBatch),
            .perMachine = countOf(arguments.perMachine, "--per-machine", 1, kMostCount),
            .link = arguments.link.value_or("") }
    {
    }

    // With one rank nothing is added up, and with one step both ways are the same.
    std::vector<ScalingCase> cases() const
    {
        std::vector<ScalingCase> all;
        for (const std::int64_t ranksOfCase : ranks)
            for (const std::int64_t stepsOfCase : steps)
                for (const bool every : { false, true })
                    if (!every || (ranksOfCase > 1 && stepsOfCase > 1))
                        all.push_back({ ranksOfCase, stepsOfCase, every });
        return all;
    }

    std::vector<std::int64_t> ranks;
    std::vector<std::int64_t> steps;
    std::int64_t updates;
    std::int64_t rounds;
    OutlookRequest outlook;
};

void sayCase(const ScalingCase& one, std::size_t number, std::size_t all, Console& console)
{
    console.say(Message("cli.scaling_case",
        { { "number", number }, { "count", all }, { "ranks", one.ranks }, { "steps", one.steps },
            { "way", wayOf(one.everyMicroBatch) } }));
}

// Each round measures all cases, so that a while in which the machine is slower does not fall on
// one of them. Throws CommandEnd if a signal ends it.
std::vector<ScaledWindows> measured(const Wanted& wanted, const RequestedRecipe& asked,
    const Arguments& arguments, Console& console)
{
    Engine& engine = requireEngine();
    RunControl control;
    const StopSignals signals([&](int) { control.requestStop(); }, [](int) {});
    const std::vector<ScalingCase> cases = wanted.cases();
    const std::size_t count = cases.size() * static_cast<std::size_t>(wanted.rounds);
    std::vector<std::vector<ScaledWindows>> rounds(cases.size());
    for (std::size_t number = 0; number < count; ++number) {
        const std::size_t place = number % cases.size();
        const ScalingCase& one = cases[place];
        sayCase(one, number + 1, count, console);
        const auto windows =
            measureWindows(engine, experimentOf(one, asked.experiment(), asked.resolved.plan),
                dataDirectories(arguments.data), wanted.updates, control);
        if (!windows)
            throw CommandEnd(exitCodeOf(signals.received()));
        rounds[place].push_back(*windows);
    }
    std::vector<ScaledWindows> all;
    std::transform(rounds.begin(), rounds.end(), std::back_inserter(all),
        [](const std::vector<ScaledWindows>& ofCase) { return medianOf(ofCase); });
    return all;
}

int print(const Wanted& wanted, std::vector<ScaledWindows> windows, const Arguments& arguments,
    Console& console)
{
    if (arguments.chart)
        writeTextFile(*arguments.chart, scalingChart(windows));
    MeasuredScaling scaling(std::move(windows));
    for (const std::string& link : arguments.assumed)
        scaling.assume(link);
    if (arguments.json)
        console.printJson(scalingJson(scaling, wanted.outlook));
    else
        console.print(scalingText(scaling, wanted.outlook, console.terminal().colours));
    return kExitDone;
}

void warnOfSharedCores(const Wanted& wanted, Console& console)
{
    const std::int64_t most = *std::max_element(wanted.ranks.begin(), wanted.ranks.end());
    const std::int64_t cores = std::max(1U, std::thread::hardware_concurrency());
    if (most > cores)
        console.warn(Message("cli.ranks_share_cores", { { "ranks", most }, { "cores", cores } }));
}

} // namespace

int scaleCommand(const Arguments& arguments, Console& console)
{
    const Wanted wanted(arguments);
    if (arguments.points)
        return print(wanted, scaledWindowsIn(*arguments.points), arguments, console);
    const RequestedRecipe asked =
        askedRecipe(arguments, console, Message("cli.recipe_to_scale_needed"));
    requireTrainable(asked, arguments, console);
    warnOfSharedCores(wanted, console);
    return print(wanted, measured(wanted, asked, arguments, console), arguments, console);
}

} // namespace accrue
