// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/engine_access.h"
#include "app/exit_code.h"
#include "app/fit_text.h"
#include "app/fit_watch.h"
#include "app/requested_recipe.h"
#include "app/stop_signals.h"
#include "engine/base/error.h"
#include "engine/base/places.h"
#include "engine/events/json_list.h"
#include "engine/events/json_value.h"
#include "engine/insight/fastest_split.h"
#include "engine/insight/memory_fit_json.h"
#include "engine/report/law_store.h"

#include <algorithm>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

Json cardsJson(const BatchPlan& plan, const MemoryFit& fit)
{
    const std::int64_t useful = usefulMicro(fit, plan);
    // Larger micro-batches than the useful one bring nothing, so no card is credited with them.
    return jsonList(cardSizes(), [&](std::int64_t card) -> Json {
        return { { "bytes", card },
            { "largest_micro", std::min(useful, largestMicro(fit, card)) } };
    });
}

Json fastestJson(const ResolvedExperiment& resolved, const MemoryFit& fit)
{
    const auto fastest = fastestSplit(fit, resolved.plan, limitBytes(resolved.experiment, fit));
    if (!fastest)
        return nullptr;
    const SplitSpeed& split = fastest->split;
    return { { "micro", split.micro }, { "steps", split.steps },
        { "samples_per_second", jsonOf(split.samplesPerSecond) },
        { "spread", jsonOf(split.spread) }, { "tied", fastest->isTied } };
}

Json fitJson(const ResolvedExperiment& resolved, const MemoryFit& fit)
{
    Json json { { "name", resolved.experiment.name } };
    json.update(jsonOf(fit));
    for (Json& point : json["steps"])
        point["without_accumulation_bytes"] =
            peakWithoutAccumulation(fit, fit.stepsMicro * point["steps"].get<std::int64_t>());
    json["fastest"] = fastestJson(resolved, fit);
    json["cards"] = cardsJson(resolved.plan, fit);
    const auto band = fit.law.bandAt(fit.law.to);
    json["band_bytes"] = band ? jsonOf(*band) : Json();
    return json;
}

// A failure to store the model is no error: the measurements are still worth printing.
void store(const Experiment& experiment, const MemoryFit& fit, Console& console)
{
    try {
        storeFit(lawDirectory(), experiment, fit);
    } catch (const Error& error) {
        console.warn(Message("cli.memory_model_not_stored", { { "reason", error.message() } }));
    }
}

} // namespace

int fitCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 1 || arguments.operands.front().empty())
        throw InputError(Message("cli.recipe_to_fit_needed"));
    const std::string& source = arguments.operands.front();
    const auto asked = askedRecipe(source, findRecipe(source), arguments, console);
    if (!asked)
        return kExitWrongInput;
    const Experiment& experiment = asked->experiment();
    const FitRequest request { experiment, dataDirectories(arguments.data),
        /*alsoSteps=*/true, /*alsoSpeeds=*/true };
    const DataSetStatus data = requireData(experiment, request.dataDirectories);
    Engine& engine = requireEngine();
    const DeviceInfo device = chooseDevice(engine, experiment.run.device, placeOfDevice(*asked));
    if (!fitsTheDevice(*asked, data, device, console))
        return kExitWrongInput;
    const WatchedFit watched =
        watchedFit(console, [&](RunControl& control, const FitProgressSink& progress) {
            return engine.fit(request, control, progress);
        });
    if (watched.fit.stopped)
        return exitCodeOf(watched.signal);
    // Before the problem is thrown: what was measured up to it is worth storing, too.
    store(experiment, watched.fit, console);
    refuseProblem(watched.fit);
    if (arguments.json)
        console.printJson(fitJson(asked->resolved, watched.fit));
    else
        console.print(fitText(asked->resolved, watched.fit, console.terminal().colours));
    return kExitDone;
}

} // namespace accrue
