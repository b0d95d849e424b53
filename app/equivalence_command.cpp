// SPDX-License-Identifier: Apache-2.0
#include "app/asked_recipe.h"
#include "app/commands.h"
#include "app/exit_code.h"
#include "app/fit_watch.h"
#include "app/log_access.h"
#include "app/runs_json.h"
#include "app/scratch_folder.h"
#include "app/stop_signals.h"
#include "app/text_table.h"
#include "app/training.h"
#include "app/training_check.h"
#include "app/wrong_input.h"
#include "engine/experiment/format.h"
#include "engine/experiment/places.h"
#include "engine/experiment/resumed_settings.h"
#include "engine/runlog/equivalence.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace accrue {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

struct Pair {
    AskedRecipe a;
    AskedRecipe b;
};

// Says what cannot be trained; empty where there is something.
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

// Before anything is trained: an update may differ in nothing but its split.
void requireOneTraining(const Pair& pair)
{
    const std::vector<SettingThatParts> parts =
        settingsThatPart(pair.a.recipe.experiment, pair.b.recipe.experiment);
    if (parts.empty())
        return;
    std::string text;
    for (const SettingThatParts& part : parts)
        text += (text.empty() ? "" : "; ") + part.key + " is " + shown(part.first) + " and "
            + shown(part.second);
    throw WrongInput(pair.a.source + " and " + pair.b.source + " cannot be one training: " + text
        + ". Only name, device, threads, memory, tensor layout, run.deterministic, trace, "
          "evaluation, checkpoints and keys without effect may differ, and the split of the same "
          "effective batch, unless batch.reduction is sum or model.norm is "
          "batch.");
}

std::int64_t updatesOf(const Arguments& arguments)
{
    if (!arguments.updates)
        return 0;
    const auto updates = positiveNumber(*arguments.updates);
    if (!updates)
        throw WrongInput("--updates needs a number of updates, 1 or more; \"" + *arguments.updates
            + "\" is none.");
    return *updates;
}

// Of a training that nobody watches.
class NoEvents : public EventSink {
public:
    void emitEvent(Event) override { }
};

// The model after as many updates as the request says; nothing is logged. Empty where a signal
// stopped it.
fs::path firstModel(Engine& engine, const TrainRequest& request, int& signal)
{
    RunControl control;
    NoEvents sink;
    const StopSignals signals([&](int) { control.requestStop(); }, [](int) {});
    const RunEnded ended = engine.train(request, control, sink);
    signal = signals.received();
    if (ended.outcome == RunOutcome::Completed || ended.outcome == RunOutcome::Stopped)
        return ended.checkpoint;
    throw std::runtime_error(ended.message);
}

ParameterDistance distanceOf(Engine& engine, const fs::path& a, const fs::path& b)
{
    ParameterDistance distance = engine.distance(a, b);
    if (!distance.problem.empty())
        throw std::runtime_error(distance.problem);
    return distance;
}

// Empty where a signal stopped it, whose exit code is in `code`.
std::optional<ParameterDistance> firstDistance(const Pair& pair, const Arguments& arguments,
    Engine& engine, const ScratchFolder& scratch, int& code)
{
    const std::int64_t asked = updatesOf(arguments);
    const std::int64_t updates = asked == 0 ? kFirstUpdates : std::min(asked, kFirstUpdates);
    int signal = 0;
    const auto model = [&](const AskedRecipe& recipe, const char* folder) {
        return signal != 0 ? fs::path()
                           : firstModel(engine,
                               { recipe.recipe.experiment, dataDirectories(arguments.data),
                                   scratch.sub(folder), {}, updates },
                               signal);
    };
    const fs::path a = model(pair.a, "first a");
    const fs::path b = model(pair.b, "first b");
    code = signal != 0 ? exitCodeOf(signal) : kExitDone;
    return signal != 0 ? std::nullopt : std::optional(distanceOf(engine, a, b));
}

struct Found {
    RunId a {}; // of the log; 0: there is none
    RunId b {};
    Equivalence losses;
    ParameterDistance first; // of the first updates
    ParameterDistance last;
};

std::string differenceText(const LossDifference& found)
{
    return found.step == 0
        ? "0"
        : formatNumber(found.greatest, 3) + " at step " + formatCount(found.step);
}

std::string foundText(const Found& found, bool colours)
{
    TextTable table({ "", "First " + formatCount(found.losses.first.updates) + " updates",
        "All " + formatCount(found.losses.all.updates) + " updates" });
    table.addRow({ "Greatest difference of a loss", differenceText(found.losses.first),
        differenceText(found.losses.all) });
    table.addRow({ "Distance of the parameters, relative L2", formatNumber(found.first.relative, 3),
        formatNumber(found.last.relative, 3) });
    return "\n" + table.render(colours) + "\n" + found.losses.sentence + "\n";
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

Training trained(
    const AskedRecipe& asked, const Arguments& arguments, Console& console, const fs::path& scratch)
{
    Training training;
    training.run = trainAsked(asked, arguments, console,
        { .stopAfter = updatesOf(arguments),
            .scratch = isLogged(arguments) ? fs::path() : scratch,
            .checked = true,
            .losses = &training.losses });
    return training;
}

Precision precisionOf(const Pair& pair)
{
    return pair.a.recipe.experiment.run.precision; // and of the other one
}

int tell(const Found& found, const Arguments& arguments, Console& console)
{
    if (arguments.json)
        console.printLine(foundJson(found).dump());
    else
        console.print(foundText(found, console.terminal().colours));
    return found.losses.verdict == Equivalence::Verdict::Equal ? kExitDone : kExitFailed;
}

// Everything that can be said before hours of training. Empty: it is said why not.
std::optional<Pair> readyPair(const Arguments& arguments, Console& console)
{
    updatesOf(arguments);
    std::optional<Pair> pair = askedPair(arguments, console);
    if (!pair)
        return std::nullopt;
    requireOneTraining(*pair);
    for (const AskedRecipe* asked : { &pair->a, &pair->b })
        if (!canBeTrained(*asked, arguments, console))
            return std::nullopt;
    return pair;
}

// Both are trained twice, and are cut the same both times. The signal that stopped it; 0: none did.
int solveBatches(Pair& pair, const Arguments& arguments, Engine& engine, Console& console)
{
    int signal = 0;
    for (AskedRecipe* const asked : { &pair.a, &pair.b }) {
        Experiment& experiment = asked->recipe.experiment;
        const FitRequest request { experiment, dataDirectories(arguments.data) };
        const auto solved = solvedExperiment(engine, request, console, signal);
        if (!solved)
            return signal;
        experiment = *solved;
    }
    return signal;
}

} // namespace

int equivalenceCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 2)
        throw WrongInput("equivalence takes two recipes: accrue equivalence "
                         "mindspore-accumulator-n1 mindspore-accumulator.");
    std::optional<Pair> pair = readyPair(arguments, console);
    if (!pair)
        return kExitWrongInput;
    Engine& engine = requireEngine();
    if (const int signal = solveBatches(*pair, arguments, engine, console); signal != 0)
        return exitCodeOf(signal);
    requireOneTraining(*pair); // now that micro-batches that follow a budget are known
    const ScratchFolder scratch;
    int code = kExitDone;
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
    return tell(found, arguments, console);
}

} // namespace accrue
