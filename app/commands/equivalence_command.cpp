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

// Empty: one cannot be trained, which is printed.
std::optional<Pair> askedPair(const Arguments& arguments, Console& console)
{
    const auto read = [&](const std::string& source) {
        return askedRecipe(source, findRecipe(source), arguments, console);
    };
    auto a = read(arguments.operands.front());
    auto b = read(arguments.operands.back());
    return a && b ? std::optional(Pair { std::move(*a), std::move(*b) }) : std::nullopt;
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

// The model after the requested number of updates; nothing is logged. Empty: a signal stopped it.
fs::path firstModel(Engine& engine, const TrainRequest& request, int& signal)
{
    RunControl control;
    NoEvents sink;
    // A second signal is ignored: these are a few updates, which end by themselves.
    const StopSignals signals([&](int) { control.requestStop(); }, [](int) {});
    const RunEnded ended = engine.train(request, control, sink);
    signal = signals.received();
    if (!isFailure(ended.outcome))
        return ended.checkpoint;
    throw Error(ended.message);
}

ParameterDistance distanceOf(Engine& engine, const fs::path& a, const fs::path& b)
{
    ParameterDistance distance = engine.distance(a, b);
    if (!distance.problem.empty())
        throw Error(distance.problem);
    return distance;
}

// Empty: a signal stopped it; its exit code is in `code`.
std::optional<ParameterDistance> firstDistance(const Pair& pair, const Arguments& arguments,
    Engine& engine, const ScratchFolder& scratch, int& code)
{
    const std::int64_t asked = updatesOf(arguments);
    // Trained separately, because a training saves its model only at its end.
    const std::int64_t updates = asked == 0 ? kFirstUpdates : std::min(asked, kFirstUpdates);
    int signal = 0;
    const auto model = [&](const RequestedRecipe& recipe, const char* folder) {
        return signal != 0 ? fs::path()
                           : firstModel(engine,
                               { recipe.resolved, dataDirectories(arguments.data),
                                   scratch.sub(folder), {}, updates },
                               signal);
    };
    const fs::path a = model(pair.a, "first a");
    const fs::path b = model(pair.b, "first b");
    code = signal != 0 ? exitCodeOf(signal) : kExitDone;
    return signal != 0 ? std::nullopt : std::optional(distanceOf(engine, a, b));
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

// One of the two, trained as far as they are compared.
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

// Checks everything that is possible before hours of training. Empty: the reason is printed.
std::optional<Pair> readyPair(const Arguments& arguments, Console& console)
{
    // Throws if the option is wrong; the value is used later.
    updatesOf(arguments);
    std::optional<Pair> pair = askedPair(arguments, console);
    if (!pair)
        return std::nullopt;
    requireOneTraining(*pair);
    for (const RequestedRecipe* asked : { &pair->a, &pair->b })
        if (!canBeTrained(*asked, arguments, console))
            return std::nullopt;
    return pair;
}

// Solves b once: both recipes are trained twice, and must be split the same way both times. Returns
// the signal that stopped it; 0: none did.
int solveBatches(Pair& pair, const Arguments& arguments, Engine& engine, Console& console)
{
    int signal = 0;
    for (RequestedRecipe* const asked : { &pair.a, &pair.b }) {
        auto solved = solvedExperiment(
            engine, asked->resolved, dataDirectories(arguments.data), console, signal);
        if (!solved)
            return signal;
        asked->resolved = std::move(*solved);
    }
    return signal;
}

} // namespace

int equivalenceCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 2)
        throw InputError(Message("cli.two_recipes_needed"));
    std::optional<Pair> pair = readyPair(arguments, console);
    if (!pair)
        return kExitWrongInput;
    Engine& engine = requireEngine();
    if (const int signal = solveBatches(*pair, arguments, engine, console); signal != 0)
        return exitCodeOf(signal);
    requireOneTraining(*pair); // now that micro-batches that follow a budget are known
    const ScratchFolder scratch;
    int code = kExitDone;
    // Before the complete trainings, so that an error shows early.
    const auto first = firstDistance(*pair, arguments, engine, scratch, code);
    if (!first)
        return code;
    const Training a = trained(pair->a, arguments, console, scratch.sub("a"));
    if (a.run.code != kExitDone)
        return a.run.code;
    const Training b = trained(pair->b, arguments, console, scratch.sub("b"));
    if (b.run.code != kExitDone)
        return b.run.code;
    const Found found { .a = a.run.id,
        .b = b.run.id,
        .losses = equivalenceOf(a.losses, b.losses, precisionOf(*pair)),
        .first = *first,
        .last = distanceOf(engine, a.run.checkpoint, b.run.checkpoint) };
    return print(found, arguments, console);
}

} // namespace accrue
