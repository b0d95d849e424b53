// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/engine_access.h"
#include "app/exit_code.h"
#include "app/fit_watch.h"
#include "app/requested_recipe.h"
#include "app/run_tally.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/format.h"
#include "engine/base/places.h"
#include "engine/base/sentences.h"
#include "engine/events/json_list.h"
#include "engine/events/json_value.h"
#include "engine/insight/fastest_split.h"
#include "engine/insight/memory_fit_json.h"
#include "engine/report/comparison_rows.h"
#include "engine/report/law_store.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

constexpr MemoryPhase kWindowPhases[] { MemoryPhase::Data, MemoryPhase::Forward,
    MemoryPhase::Backward, MemoryPhase::Optimizer };

// The peak of one size in bytes; 0: that phase was not measured.
std::int64_t measuredAt(const MemoryLaw& law, std::int64_t micro, MemoryPhase phase)
{
    for (const MemoryPoint& point : law.points)
        if (point.micro == micro && point.phase == phase)
            return point.peakBytes;
    return 0;
}

std::string signedBytes(std::int64_t bytes)
{
    return bytes == 0 ? "0" : (bytes > 0 ? "+" : "") + formatBytes(bytes);
}

std::string speedAt(const MemoryFit& fit, std::int64_t micro)
{
    for (const MicroSpeed& speed : fit.speeds)
        if (speed.micro == micro)
            return formatRate(speed.samplesPerSecond);
    return "–";
}

std::string pointsText(const MemoryFit& fit, bool colours)
{
    std::vector<std::string> titles { label("Micro-batch") };
    for (const MemoryPhase phase : kWindowPhases)
        titles.push_back(capitalised(phaseText(phase)));
    titles.insert(titles.end(), { label("Peak"), label("Model − peak") });
    if (!fit.speeds.empty())
        titles.push_back(label("Speed"));
    TextTable table(titles, { 0, 1, 2, 3, 4, 5, 6, 7 });
    for (const auto& [micro, peak] : measuredPeaks(fit.law)) {
        std::vector<Cell> row { formatCount(micro) };
        for (const MemoryPhase phase : kWindowPhases) {
            const std::int64_t bytes = measuredAt(fit.law, micro, phase);
            row.emplace_back(bytes > 0 ? formatBytes(bytes) : "–");
        }
        row.insert(row.end(), { formatBytes(peak), signedBytes(fit.law.peakAt(micro) - peak) });
        // Only some sizes are timed, so the column may have gaps.
        if (!fit.speeds.empty())
            row.emplace_back(speedAt(fit, micro));
        table.addRow(row);
    }
    return table.render(colours);
}

std::string lineText(const MemoryLine& line)
{
    return formatBytes(line.base) + " + " + formatBytes(line.perSample) + " · b";
}

std::string certaintyText(const MemoryLaw& law)
{
    if (meetsMeasurements(law))
        return exactModel(law).text() + "\n";
    const auto band = law.bandAt(law.to);
    const Message text = band ? Message("cli.fit_certainty",
                             { { "micro", law.to }, { "band", ByteCount { std::llround(*band) } } })
                              : Message("cli.fit_uncertain");
    return text.text() + "\n";
}

std::string lawText(const MemoryLaw& law)
{
    const std::vector<MemoryLine> greatest = greatestLines(law);
    std::vector<Message> parts;
    parts.reserve(greatest.size());
    for (const MemoryLine& line : greatest)
        parts.push_back(Message(
            "cli.fit_line", { { "line", lineText(line) }, { "phase", phaseText(line.phase) } }));
    const Message lines = clausesOf(parts);
    const Message peak =
        greatest.size() > 1 ? Message("cli.fit_greatest_of", { { "lines", lines } }) : lines;
    return Message("cli.fit_model", { { "peak", peak }, { "from", law.from }, { "to", law.to } })
               .text()
        + "\n" + certaintyText(law);
}

std::string proofText(const MemoryProof& proof)
{
    const Message whole = proof.isAll ? Message("cli.proof_is_all") : Message("cli.proof_is_limit");
    return Message("cli.proof",
               { { "micro", proof.micro }, { "budget", ByteCount { proof.budgetBytes } },
                   { "peak", ByteCount { proof.peakBytes } }, { "whole", whole } })
               .text()
        + "\n";
}

// ---- speed -----------------------------------------------------------------------------------

std::string speedsText(const MemoryFit& fit)
{
    // The speed of a CPU depends on the number of threads.
    const Message device =
        fit.device == "cpu" ? countOfThreads(fit.speedThreads) : Message::plain(fit.device);
    return Message("cli.fit_speed", { { "device", device } }).text() + "\n";
}

std::string fastestText(const ResolvedExperiment& resolved, const MemoryFit& fit)
{
    const std::string sentence = fastestSentence(fit, resolved).text();
    return sentence.empty() ? "" : sentence + "\n" + speedsText(fit);
}

// ---- cards -----------------------------------------------------------------------------------

std::string cardText(std::int64_t bytes)
{
    return std::to_string(bytes >> 30) + " GiB";
}

std::string usefulText(const MemoryFit& fit, std::int64_t useful)
{
    return useful == fit.trainSamples ? Message("cli.whole_training_set").text()
                                      : Message("cli.whole_effective_batch").text();
}

std::string cardTable(const MemoryFit& fit, std::int64_t useful, bool colours)
{
    TextTable table(
        { label("Card"), label("Would it run?"), label("Largest micro-batch") }, { 0, 2 });
    for (const std::int64_t card : cardSizes()) {
        // More than the useful micro-batch brings nothing, whatever the card could hold.
        const std::int64_t micro = std::min(useful, largestMicro(fit, card));
        table.addRow({ cardText(card), label(micro > 0 ? "yes" : "no"),
            micro == 0            ? "–"
                : micro == useful ? formatCount(micro) + ", " + usefulText(fit, useful)
                                  : formatCount(micro) });
    }
    return table.render(colours);
}

std::string cardsText(const BatchPlan& plan, const MemoryFit& fit, bool colours)
{
    const std::int64_t useful = usefulMicro(fit, plan);
    const std::string source = sourceOfCards(fit).text() + "\n";
    const std::string sentence = everyCardFits(fit, plan).text();
    if (!sentence.empty())
        // A size beyond the measured ones is extrapolated, so its margin is stated.
        return sentence + "\n" + source
            + (useful > fit.law.to ? marginSentence(fit).text() + "\n" : "");
    return cardTable(fit, useful, colours) + source + marginSentence(fit).text() + " "
        + Message("cli.fit_budget_proves").text() + "\n";
}

// How N changes the peak, and what the peak would be without accumulation.
std::string stepsText(const MemoryFit& fit, bool colours)
{
    if (fit.steps.empty())
        return {};
    TextTable table({ label("N"), label("Peak, measured"), label("Instead one micro-batch of"),
                        label("Needs, computed") },
        { 0, 1, 2, 3 });
    for (const StepsPoint& point : fit.steps) {
        const std::int64_t samples = fit.stepsMicro * point.steps;
        table.addRow({ formatCount(point.steps), formatBytes(point.peakBytes), formatCount(samples),
            formatBytes(peakWithoutAccumulation(fit, samples)) });
    }
    return Message("cli.fit_steps",
               { { "micro", fit.stepsMicro }, { "gradients", ByteCount { fit.gradientBytes } } })
               .text()
        + "\n" + table.render(colours) + "\n";
}

// The points, the memory model, the proof of a budget, the fastest split of B, what N changes, and
// the cards. `fit` has a memory model.
std::string fitText(const ResolvedExperiment& resolved, const MemoryFit& fit, bool colours)
{
    std::string text =
        printable(Message("cli.fit_heading",
            { { "name", resolved.experiment.name }, { "device", fit.device },
                { "device_name", fit.deviceName }, { "threads", countOfThreads(fit.threads) } })
                      .text())
        + "\n\n" + pointsText(fit, colours) + "\n" + lawText(fit.law) + "\n";
    if (fit.proof)
        text += proofText(*fit.proof) + "\n";
    const std::string fastest = fastestText(resolved, fit);
    if (!fastest.empty())
        text += fastest + "\n";
    return text + stepsText(fit, colours) + cardsText(resolved.plan, fit, colours);
}

// ---- JSON ------------------------------------------------------------------------------------

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
    const RequestedRecipe asked =
        askedRecipe(arguments, console, Message("cli.recipe_to_fit_needed"));
    const Experiment& experiment = asked.experiment();
    const FitRequest request { experiment, dataDirectories(arguments.data),
        /*alsoSteps=*/true, /*alsoSpeeds=*/true };
    const DataSetStatus data = requireData(experiment, request.dataDirectories);
    Engine& engine = requireEngine();
    requireFittingDevice(asked, data,
        chooseDevice(engine, experiment.run.device, placeOfDevice(asked)), engine, console);
    const MemoryFit fit =
        watchedFit(console, [&](RunControl& control, const FitProgressSink& progress) {
            return engine.fit(request, control, progress);
        });
    // Before the problem is thrown: what was measured up to it is worth storing, too.
    store(experiment, fit, console);
    refuseProblem(fit);
    console.printResult(arguments.json, fitJson(asked.resolved, fit),
        fitText(asked.resolved, fit, console.terminal().colours));
    return kExitDone;
}

} // namespace accrue
