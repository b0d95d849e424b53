// SPDX-License-Identifier: Apache-2.0
#include "app/argument_parser.h"
#include "app/commands/commands.h"
#include "app/engine_access.h"
#include "app/exit_code.h"
#include "app/fit_watch.h"
#include "app/log_access.h"
#include "app/requested_recipe.h"
#include "app/scratch_folder.h"
#include "app/stop_signals.h"
#include "app/text_table.h"
#include "app/training.h"
#include "engine/base/error.h"
#include "engine/base/format.h"
#include "engine/base/places.h"
#include "engine/events/json_value.h"
#include "engine/experiment/resumed_settings.h"
#include "engine/report/run_comparison.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

struct Pair {
    RequestedRecipe a;
    RequestedRecipe b;
};

// Throws CommandEnd if one is wrong, but only after the findings of both are printed.
Pair askedPair(const Arguments& arguments, Console& console)
{
    const auto read = [&](const std::string& source) -> std::optional<RequestedRecipe> {
        try {
            return askedRecipe(source, findRecipe(source), arguments, console);
        } catch (const CommandEnd&) {
            return std::nullopt;
        }
    };
    auto a = read(arguments.operands.front());
    auto b = read(arguments.operands.back());
    if (!a || !b)
        throw CommandEnd(kExitWrongInput);
    return { std::move(*a), std::move(*b) };
}

std::string shown(const std::string& value)
{
    return value.empty() ? "\"\"" : value;
}

// Checked before anything is trained: the two may differ only in how their updates are split.
void requireOneTraining(const Pair& pair)
{
    const std::vector<SettingThatParts> parts = settingsThatPart(pair.a.resolved, pair.b.resolved);
    if (parts.empty())
        return;
    std::string text;
    for (const SettingThatParts& part : parts)
        text += (text.empty() ? "" : "; ")
            + Message("cli.setting_that_differs",
                { { "key", part.key }, { "first", shown(part.first) },
                    { "second", shown(part.second) } })
                  .text();
    throw InputError(Message("cli.not_one_training",
        { { "first", pair.a.places.source }, { "second", pair.b.places.source },
            { "settings", text } }));
}

std::int64_t updatesOf(const Arguments& arguments)
{
    if (!arguments.updates)
        return 0;
    const auto updates = positiveNumber(*arguments.updates);
    if (!updates)
        throw InputError(Message("cli.wrong_updates", { { "text", *arguments.updates } }));
    return *updates;
}

// For a training whose events nobody needs.
class NoEvents : public EventSink {
public:
    void emitEvent(Event) override { }
};

// The model after the requested number of updates; nothing is logged. Throws CommandEnd if a signal
// stopped it.
fs::path firstModel(Engine& engine, const TrainRequest& request)
{
    RunControl control;
    NoEvents sink;
    // A second signal is ignored: these are a few updates, which end by themselves.
    const StopSignals signals([&](int) { control.requestStop(); }, [](int) {});
    const RunEnded ended = engine.train(request, control, sink);
    if (isFailure(ended.outcome))
        throw Error(ended.message);
    if (signals.received() != 0)
        throw CommandEnd(exitCodeOf(signals.received()));
    return ended.checkpoint;
}

ParameterDistance distanceOf(Engine& engine, const fs::path& a, const fs::path& b)
{
    ParameterDistance distance = engine.distance(a, b);
    if (!distance.problem.empty())
        throw Error(distance.problem);
    return distance;
}

ParameterDistance firstDistance(
    const Pair& pair, const Arguments& arguments, Engine& engine, const ScratchFolder& scratch)
{
    const std::int64_t asked = updatesOf(arguments);
    // Trained separately, because a training saves its model only at its end.
    const std::int64_t updates = asked == 0 ? kFirstUpdates : std::min(asked, kFirstUpdates);
    const auto model = [&](const RequestedRecipe& recipe, const char* folder) {
        return firstModel(engine,
            { recipe.resolved, dataDirectories(arguments.data), scratch.sub(folder), {}, updates });
    };
    const fs::path a = model(pair.a, "first a");
    return distanceOf(engine, a, model(pair.b, "first b"));
}

struct Found {
    RunId a {}; // in the log; 0: there is none
    RunId b {};
    Equivalence losses;
    ParameterDistance first; // of the first updates
    ParameterDistance last;
};

std::string differenceText(const LossDifference& found)
{
    if (found.step == 0)
        return "0";
    return Message("cli.difference_at_step",
        { { "difference", formatNumber(found.greatest, 3) }, { "step", found.step } })
        .text();
}

std::string foundText(const Found& found, bool colours)
{
    TextTable table(
        { "", Message("cli.first_updates", { { "count", found.losses.first.updates } }).text(),
            Message("cli.all_updates", { { "count", found.losses.all.updates } }).text() });
    table.addRow({ label("Greatest difference of a loss"), differenceText(found.losses.first),
        differenceText(found.losses.all) });
    table.addRow({ label("Distance of the parameters, relative L2"),
        formatNumber(found.first.relative, 3), formatNumber(found.last.relative, 3) });
    return "\n" + table.render(colours) + "\n" + found.losses.sentence.text() + "\n";
}

Json foundJson(const Found& found)
{
    const Json losses = jsonOf(found.losses);
    const bool logged = numberOf(found.a) != 0;
    Json json { { "event", "equivalence" },
        { "runs", logged ? Json { numberOf(found.a), numberOf(found.b) } : Json() } };
    json.update(losses);
    json["parameter_distance"] = { { "first", jsonOf(found.first.relative) },
        { "all", jsonOf(found.last.relative) } };
    return json;
}

// One of the two, trained as far as they are compared; trained() throws CommandEnd if it did not
// get so far.
struct Training {
    TrainedRun run;
    std::vector<SeriesRow> losses;
};

Training trained(const RequestedRecipe& asked, const Arguments& arguments, Console& console,
    const fs::path& scratch)
{
    Training training;
    // With a log, the models are the runs' own checkpoints; otherwise they are temporary.
    training.run = trainAsked(asked, arguments, console,
        { .stopAfter = updatesOf(arguments),
            .scratch = isLogged(arguments) ? fs::path() : scratch,
            .checked = true,
            .losses = &training.losses });
    if (training.run.code != kExitDone)
        throw CommandEnd(training.run.code);
    return training;
}

Precision precisionOf(const Pair& pair)
{
    // requireOneTraining has checked that the other one's is the same
    return pair.a.experiment().run.precision;
}

int print(const Found& found, const Arguments& arguments, Console& console)
{
    if (arguments.json)
        console.printLine(foundJson(found).dump());
    else
        console.print(foundText(found, console.terminal().colours));
    // Scripts can read the verdict from the exit code.
    return found.losses.verdict == Equivalence::Verdict::Equal ? kExitDone : kExitFailed;
}

// Checks everything that is possible before hours of training. Throws CommandEnd if the pair cannot
// be trained, which is printed.
Pair readyPair(const Arguments& arguments, Console& console)
{
    // Throws if the option is wrong; the value is used later.
    updatesOf(arguments);
    Pair pair = askedPair(arguments, console);
    requireOneTraining(pair);
    requireTrainable(pair.a, arguments, console);
    requireTrainable(pair.b, arguments, console);
    return pair;
}

} // namespace

int equivalenceCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 2)
        throw InputError(Message("cli.two_recipes_needed"));
    Pair pair = readyPair(arguments, console);
    Engine& engine = requireEngine();
    // b is solved once: both recipes are trained twice, and must be split the same way both times.
    for (RequestedRecipe* const asked : { &pair.a, &pair.b })
        asked->resolved =
            solvedExperiment(engine, asked->resolved, dataDirectories(arguments.data), console);
    requireOneTraining(pair); // now that micro-batches that follow a budget are known
    const ScratchFolder scratch;
    // Before the complete trainings, so that an error shows early.
    const ParameterDistance first = firstDistance(pair, arguments, engine, scratch);
    const Training a = trained(pair.a, arguments, console, scratch.sub("a"));
    const Training b = trained(pair.b, arguments, console, scratch.sub("b"));
    const Found found { .a = a.run.id,
        .b = b.run.id,
        .losses = equivalenceOf(a.losses, b.losses, precisionOf(pair)),
        .first = first,
        .last = distanceOf(engine, a.run.checkpoint, b.run.checkpoint) };
    return print(found, arguments, console);
}

} // namespace accrue
