// SPDX-License-Identifier: Apache-2.0
#include "app/asked_recipe.h"
#include "app/commands.h"
#include "app/device_choice.h"
#include "app/exit_code.h"
#include "app/fit_text.h"
#include "app/fit_watch.h"
#include "app/runs_json.h"
#include "app/stop_signals.h"
#include "app/training.h"
#include "app/training_check.h"
#include "app/wrong_input.h"
#include "engine/door/fastest_split.h"
#include "engine/door/law_store.h"
#include "engine/door/memory_fit_json.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/places.h"

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

Json cardsJson(const Experiment& experiment, const MemoryFit& fit)
{
    const std::int64_t useful = usefulMicro(fit, experiment);
    Json cards = Json::array();
    for (const std::int64_t card : cardSizes())
        cards.push_back(
            { { "bytes", card }, { "largest_micro", std::min(useful, largestMicro(fit, card)) } });
    return cards;
}

Json fastestJson(const Experiment& experiment, const MemoryFit& fit)
{
    const std::optional<BatchPlan> plan = solveBatch(experiment).plan;
    const auto fastest =
        plan ? fastestSplit(fit, *plan, limitBytes(experiment, fit)) : std::nullopt;
    if (!fastest)
        return nullptr;
    const SplitSpeed& split = fastest->split;
    return { { "micro", split.micro }, { "steps", split.steps },
        { "samples_per_second", jsonOf(split.samplesPerSecond) },
        { "spread", jsonOf(split.spread) }, { "tied", fastest->isTied } };
}

Json fitJson(const Experiment& experiment, const MemoryFit& fit)
{
    Json json { { "name", experiment.name } };
    json.update(jsonOf(fit));
    for (Json& point : json["steps"])
        point["without_accumulation_bytes"] =
            peakWithoutAccumulation(fit, fit.stepsMicro * point["steps"].get<std::int64_t>());
    json["fastest"] = fastestJson(experiment, fit);
    json["cards"] = cardsJson(experiment, fit);
    const auto band = fit.law.bandAt(fit.law.to);
    json["band_bytes"] = band ? jsonOf(*band) : Json();
    return json;
}

// What was measured is of use also where it cannot be kept.
void keep(const Experiment& experiment, const MemoryFit& fit, Console& console)
{
    try {
        storeFit(lawDirectory(), experiment, fit);
    } catch (const std::system_error& error) {
        console.warn(std::string("The memory model is not stored: ") + error.what() + ".");
    }
}

} // namespace

int fitCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 1 || arguments.operands.front().empty())
        throw WrongInput("fit takes one recipe: accrue fit first-run --budget 4GiB. See accrue "
                         "recipes.");
    const std::string& source = arguments.operands.front();
    const auto asked = askedRecipe(source, findRecipe(source), arguments, console);
    if (!asked)
        return kExitWrongInput;
    const Experiment& experiment = asked->recipe.experiment;
    const FitRequest request { experiment, dataDirectories(arguments.data),
        /*alsoSteps=*/true, /*alsoSpeeds=*/true };
    const DataSetStatus data = requireData(experiment, request.dataDirectories);
    Engine& engine = requireEngine();
    const std::string device = chooseDevice(engine, experiment.run.device, placeOfDevice(*asked));
    if (!fitsTheDevice(*asked, data, engine, device, console))
        return kExitWrongInput;
    const WatchedFit watched =
        watchedFit(console, [&](RunControl& control, const FitProgressSink& progress) {
            return engine.fit(request, control, progress);
        });
    if (watched.fit.stopped)
        return exitCodeOf(watched.signal);
    keep(experiment, watched.fit, console);
    refuseProblem(watched.fit);
    console.print(arguments.json ? textOf(fitJson(experiment, watched.fit))
                                 : fitText(experiment, watched.fit, console.terminal().colours));
    return kExitDone;
}

} // namespace accrue
