// SPDX-License-Identifier: Apache-2.0
#include "app/asked_recipe.h"
#include "app/commands.h"
#include "app/device_choice.h"
#include "app/exit_code.h"
#include "app/fit_watch.h"
#include "app/log_access.h"
#include "app/runs_json.h"
#include "app/scratch_folder.h"
#include "app/stop_signals.h"
#include "app/text_table.h"
#include "app/training.h"
#include "app/wrong_input.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/format.h"
#include "engine/experiment/places.h"
#include "engine/runlog/equivalence.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

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

// Before anything is trained: their updates must be made of the same numbers of samples.
void requireSameWindows(const Pair& pair)
{
    const BatchPlan a = solveBatch(pair.a.recipe.experiment).plan.value();
    const BatchPlan b = solveBatch(pair.b.recipe.experiment).plan.value();
    if (a.effective != b.effective)
        throw WrongInput("Updates of " + pair.a.source + " are made of " + formatCount(a.effective)
            + " samples, those of " + pair.b.source + " of " + formatCount(b.effective)
            + "; one training cut differently has the same effective batch.");
    if (a.tail != b.tail)
        throw WrongInput(pair.a.source + " and " + pair.b.source
            + " have different tails (batch.tail), so they are not one training cut differently.");
}

// Stops a run after its first updates; they are compared from its log, not from here.
class FirstUpdates : public EventSink {
public:
    explicit FirstUpdates(RunControl& control)
        : m_control(control)
    {
    }

    void emitEvent(Event event) override
    {
        const auto* const step = std::get_if<StepDone>(&event);
        if (step != nullptr && step->step >= kFirstUpdates)
            m_control.requestStop();
    }

private:
    RunControl& m_control;
};

// The model after the first updates; nothing is logged. Empty where a signal stopped it.
fs::path firstModel(Engine& engine, const Experiment& experiment,
    const std::vector<fs::path>& directories, const fs::path& folder, int& signal)
{
    RunControl control;
    FirstUpdates sink(control);
    const StopSignals signals([&](int) { control.requestStop(); }, [](int) {});
    const RunEnded ended = engine.train({ experiment, directories, folder }, control, sink);
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
std::optional<ParameterDistance> firstDistance(
    const Pair& pair, const Arguments& arguments, Engine& engine, int& code)
{
    const ScratchFolder scratch;
    const std::vector<fs::path> directories = dataDirectories(arguments.data);
    int signal = 0;
    const fs::path a =
        firstModel(engine, pair.a.recipe.experiment, directories, scratch.sub("a"), signal);
    const fs::path b = signal != 0
        ? fs::path()
        : firstModel(engine, pair.b.recipe.experiment, directories, scratch.sub("b"), signal);
    code = signal != 0 ? exitCodeOf(signal) : kExitDone;
    return signal != 0 ? std::nullopt : std::optional(distanceOf(engine, a, b));
}

struct Found {
    RunId a {};
    RunId b {};
    Equivalence losses;
    ParameterDistance first;
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
    Json json { { "event", "equivalence" }, { "runs", { numberOf(found.a), numberOf(found.b) } } };
    json.update(losses);
    json["parameter_distance"] = { { "first", jsonOf(found.first.relative) },
        { "all", jsonOf(found.last.relative) } };
    return json;
}

Found compared(const Arguments& arguments, Engine& engine, const TrainedRun& a, const TrainedRun& b,
    const ParameterDistance& first)
{
    RunLogReader log(runLogOf(arguments));
    return { .a = a.id,
        .b = b.id,
        .losses = equivalenceOf(log, a.id, b.id),
        .first = first,
        .last = distanceOf(engine, a.checkpoint, b.checkpoint) };
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
    runLogOf(arguments); // refuses --db none
    std::optional<Pair> pair = askedPair(arguments, console);
    if (!pair)
        return std::nullopt;
    requireSameWindows(*pair);
    const std::vector<fs::path> directories = dataDirectories(arguments.data);
    for (const AskedRecipe* asked : { &pair->a, &pair->b })
        if (!fitsTheData(*asked, requireData(asked->recipe.experiment, directories), console))
            return std::nullopt;
    for (const AskedRecipe* asked : { &pair->a, &pair->b })
        chooseDevice(requireEngine(), asked->recipe.experiment.run.device, placeOfDevice(*asked));
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
    int code = kExitDone;
    const auto first = firstDistance(*pair, arguments, engine, code);
    if (!first)
        return code;
    const TrainedRun a = trainAsked(pair->a, arguments, console);
    if (a.code != kExitDone)
        return a.code;
    const TrainedRun b = trainAsked(pair->b, arguments, console);
    if (b.code != kExitDone)
        return b.code;
    return tell(compared(arguments, engine, a, b, *first), arguments, console);
}

} // namespace accrue
