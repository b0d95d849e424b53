// SPDX-License-Identifier: Apache-2.0
#include "app/asked_recipe.h"
#include "app/commands.h"
#include "app/device_choice.h"
#include "app/exit_code.h"
#include "app/fit_watch.h"
#include "app/runs_json.h"
#include "app/stop_signals.h"
#include "app/text_table.h"
#include "app/training.h"
#include "app/training_check.h"
#include "app/wrong_input.h"
#include "engine/door/law_store.h"
#include "engine/door/memory_fit_json.h"
#include "engine/experiment/format.h"
#include "engine/experiment/places.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <system_error>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

constexpr MemoryPhase kWindowPhases[] { MemoryPhase::Data, MemoryPhase::Forward,
    MemoryPhase::Backward, MemoryPhase::Optimizer };

std::string capitalised(std::string word)
{
    word.front() = static_cast<char>(word.front() - 'a' + 'A');
    return word;
}

// Of one size; 0: that phase was not measured.
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

std::string pointsText(const MemoryLaw& law, bool colours)
{
    std::vector<std::string> titles { "Micro-batch" };
    for (const MemoryPhase phase : kWindowPhases)
        titles.push_back(capitalised(memoryPhaseName(phase)));
    titles.insert(titles.end(), { "Peak", "Law − peak" });
    TextTable table(titles);
    for (std::size_t column = 0; column < titles.size(); ++column)
        table.setAlign(column, TextTable::Align::Right);
    std::set<std::int64_t> sizes;
    for (const MemoryPoint& point : law.points)
        sizes.insert(point.micro);
    for (const std::int64_t micro : sizes) {
        std::vector<std::string> row { formatCount(micro) };
        std::int64_t peak = 0;
        for (const MemoryPhase phase : kWindowPhases) {
            const std::int64_t bytes = measuredAt(law, micro, phase);
            row.push_back(bytes > 0 ? formatBytes(bytes) : "–");
            peak = std::max(peak, bytes);
        }
        row.insert(row.end(), { formatBytes(peak), signedBytes(law.peakAt(micro) - peak) });
        table.addRow(row);
    }
    return table.render(colours);
}

std::string lineText(const MemoryLine& line)
{
    return formatBytes(line.base) + " + " + formatBytes(line.perSample) + " · b";
}

std::string lawText(const MemoryLaw& law)
{
    const std::vector<MemoryLine> greatest = greatestLines(law);
    std::string lines;
    for (const MemoryLine& line : greatest)
        lines +=
            (lines.empty() ? "" : ", ") + lineText(line) + " (" + memoryPhaseName(line.phase) + ")";
    std::string text = "The peak of a window of micro-batches of b samples is "
        + std::string(greatest.size() > 1 ? "the greatest of " : "") + lines
        + ", measured from b = " + formatCount(law.from) + " to " + formatCount(law.to) + ".\n";
    const auto band = law.bandAt(law.to);
    text += band ? "At b = " + formatCount(law.to) + " another window lies within ± "
            + formatBytes(std::llround(*band)) + " of that with a probability of 95 %.\n"
                 : "Two sizes tell nothing of how sure that is.\n";
    return text;
}

std::string samplesText(std::int64_t samples)
{
    return formatCount(samples) + (samples == 1 ? " sample" : " samples");
}

std::string proofText(const MemoryProof& proof)
{
    return "The budget of " + formatBytes(proof.budgetBytes) + " takes micro-batches of "
        + samplesText(proof.micro) + ": a real window of them was computed within it, its peak "
        + formatBytes(proof.peakBytes)
        + (proof.isAll ? "; that is the whole training set.\n"
                       : "; one sample more was refused.\n");
}

std::string cardsText(const MemoryFit& fit, bool colours)
{
    TextTable table({ "Card", "Would it run?", "Largest micro-batch" });
    table.setAlign(0, TextTable::Align::Right);
    table.setAlign(2, TextTable::Align::Right);
    for (const std::int64_t card : cardSizes()) {
        const std::int64_t micro = largestMicro(fit, card);
        const bool isAll = micro == fit.trainSamples;
        table.addRow({ std::to_string(card >> 30) + " GiB", micro > 0 ? "yes" : "no",
            micro == 0 ? "–" : formatCount(micro) + (isAll ? ", all samples" : "") });
    }
    return table.render(colours);
}

// What N makes of the peak, and what it would be without accumulation.
std::string stepsText(const MemoryFit& fit, bool colours)
{
    if (fit.steps.empty())
        return {};
    TextTable table({ "N", "Peak, measured", "Instead one micro-batch of", "Needs, computed" });
    for (std::size_t column = 0; column < 4; ++column)
        table.setAlign(column, TextTable::Align::Right);
    for (const StepsPoint& point : fit.steps) {
        const std::int64_t samples = fit.stepsMicro * point.steps;
        table.addRow({ formatCount(point.steps), formatBytes(point.peakBytes), formatCount(samples),
            formatBytes(peakWithoutAccumulation(fit, samples)) });
    }
    return "Windows of N micro-batches of " + samplesText(fit.stepsMicro) + "; computed is the law "
        + "less the gradients (" + formatBytes(fit.gradientBytes)
        + "), which one micro-batch alone\nneed not hold during its forward pass.\n"
        + table.render(colours) + "\n";
}

std::string fitText(const std::string& name, const MemoryFit& fit, bool colours)
{
    std::string text = printable(name + " on " + fit.device + ", " + fit.deviceName) + ", "
        + std::to_string(fit.threads) + (fit.threads == 1 ? " thread" : " threads") + "\n\n"
        + pointsText(fit.law, colours) + "\n" + lawText(fit.law) + "\n";
    if (fit.proof)
        text += proofText(*fit.proof) + "\n";
    return text + stepsText(fit, colours) + cardsText(fit, colours)
        + "Beyond b = " + formatCount(fit.law.to)
        + " the law was not measured; accrue fit --budget proves what it says of one card.\n";
}

Json fitJson(const std::string& name, const MemoryFit& fit)
{
    Json json { { "name", name } };
    json.update(jsonOf(fit));
    for (Json& point : json["steps"])
        point["without_accumulation_bytes"] =
            peakWithoutAccumulation(fit, fit.stepsMicro * point["steps"].get<std::int64_t>());
    Json cards = Json::array();
    for (const std::int64_t card : cardSizes())
        cards.push_back({ { "bytes", card }, { "largest_micro", largestMicro(fit, card) } });
    json["cards"] = cards;
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
        console.warn(std::string("The law is not kept: ") + error.what() + ".");
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
    const FitRequest request { experiment, dataDirectories(arguments.data), /*alsoSteps=*/true };
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
    console.print(arguments.json
            ? textOf(fitJson(experiment.name, watched.fit))
            : fitText(experiment.name, watched.fit, console.terminal().colours));
    return kExitDone;
}

} // namespace accrue
