// SPDX-License-Identifier: Apache-2.0
#include "app/fit_text.h"

#include "app/text_table.h"
#include "engine/door/fastest_split.h"
#include "engine/experiment/format.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace accrue {

namespace {

constexpr MemoryPhase kWindowPhases[] { MemoryPhase::Data, MemoryPhase::Forward,
    MemoryPhase::Backward, MemoryPhase::Optimizer };

std::string capitalised(std::string word)
{
    word.front() = static_cast<char>(word.front() - 'a' + 'A');
    return word;
}

TextTable tableOfNumbers(const std::vector<std::string>& titles)
{
    TextTable table(titles);
    for (std::size_t column = 0; column < titles.size(); ++column)
        table.setAlign(column, TextTable::Align::Right);
    return table;
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

std::string speedAt(const MemoryFit& fit, std::int64_t micro)
{
    for (const MicroSpeed& speed : fit.speeds)
        if (speed.micro == micro)
            return formatRate(speed.samplesPerSecond);
    return "–";
}

std::string pointsText(const MemoryFit& fit, bool colours)
{
    std::vector<std::string> titles { "Micro-batch" };
    for (const MemoryPhase phase : kWindowPhases)
        titles.push_back(capitalised(memoryPhaseName(phase)));
    titles.insert(titles.end(), { "Peak", "Model − peak" });
    if (!fit.speeds.empty())
        titles.emplace_back("Speed");
    TextTable table = tableOfNumbers(titles);
    for (const auto& [micro, peak] : measuredPeaks(fit.law)) {
        std::vector<std::string> row { formatCount(micro) };
        for (const MemoryPhase phase : kWindowPhases) {
            const std::int64_t bytes = measuredAt(fit.law, micro, phase);
            row.push_back(bytes > 0 ? formatBytes(bytes) : "–");
        }
        row.insert(row.end(), { formatBytes(peak), signedBytes(fit.law.peakAt(micro) - peak) });
        if (!fit.speeds.empty())
            row.push_back(speedAt(fit, micro));
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
        return sentenceOnExactLaw(law) + "\n";
    const auto band = law.bandAt(law.to);
    return band ? "At b = " + formatCount(law.to) + " another window lies within ± "
            + formatBytes(std::llround(*band)) + " of that with a probability of 95 %.\n"
                : "Two sizes do not show how certain that is.\n";
}

std::string lawText(const MemoryLaw& law)
{
    const std::vector<MemoryLine> greatest = greatestLines(law);
    std::string lines;
    for (const MemoryLine& line : greatest)
        lines +=
            (lines.empty() ? "" : ", ") + lineText(line) + " (" + memoryPhaseName(line.phase) + ")";
    return "The peak of a window of micro-batches of b samples is "
        + std::string(greatest.size() > 1 ? "the greatest of " : "") + lines
        + ", measured from b = " + formatCount(law.from) + " to " + formatCount(law.to) + ".\n"
        + certaintyText(law);
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

// ---- speed -----------------------------------------------------------------------------------

std::string speedsText(const MemoryFit& fit)
{
    const std::string threads =
        std::to_string(fit.speedThreads) + (fit.speedThreads == 1 ? " thread" : " threads");
    return "Speed is that of data, forward and backward pass on "
        + (fit.device == "cpu" ? threads : fit.device) + ", without the update.\n";
}

std::string fastestText(const Experiment& experiment, const MemoryFit& fit)
{
    const std::string sentence = sentenceOnFastest(fit, experiment, "the recipe's");
    return sentence.empty() ? "" : sentence + "\n" + speedsText(fit);
}

// ---- cards -----------------------------------------------------------------------------------

std::string cardText(std::int64_t bytes)
{
    return std::to_string(bytes >> 30) + " GiB";
}

std::string usefulText(const MemoryFit& fit, std::int64_t useful)
{
    return useful == fit.trainSamples ? "the whole training set" : "the whole effective batch";
}

std::string cardTable(const MemoryFit& fit, std::int64_t useful, bool colours)
{
    TextTable table({ "Card", "Would it run?", "Largest micro-batch" });
    table.setAlign(0, TextTable::Align::Right);
    table.setAlign(2, TextTable::Align::Right);
    for (const std::int64_t card : cardSizes()) {
        const std::int64_t micro = std::min(useful, largestMicro(fit, card));
        table.addRow({ cardText(card), micro > 0 ? "yes" : "no",
            micro == 0            ? "–"
                : micro == useful ? formatCount(micro) + ", " + usefulText(fit, useful)
                                  : formatCount(micro) });
    }
    return table.render(colours);
}

std::string cardsText(const Experiment& experiment, const MemoryFit& fit, bool colours)
{
    const std::int64_t useful = usefulMicro(fit, experiment);
    const std::string source = sentenceOnCards(fit) + "\n";
    const std::string sentence = sentenceOnEveryCard(fit, experiment);
    if (!sentence.empty())
        return sentence + "\n" + source + (useful > fit.law.to ? sentenceOnMargin(fit) + "\n" : "");
    return cardTable(fit, useful, colours) + source + sentenceOnMargin(fit)
        + " accrue fit --budget proves what fits one card.\n";
}

// What N makes of the peak, and what it would be without accumulation.
std::string stepsText(const MemoryFit& fit, bool colours)
{
    if (fit.steps.empty())
        return {};
    TextTable table =
        tableOfNumbers({ "N", "Peak, measured", "Instead one micro-batch of", "Needs, computed" });
    for (const StepsPoint& point : fit.steps) {
        const std::int64_t samples = fit.stepsMicro * point.steps;
        table.addRow({ formatCount(point.steps), formatBytes(point.peakBytes), formatCount(samples),
            formatBytes(peakWithoutAccumulation(fit, samples)) });
    }
    return "Windows of N micro-batches of " + samplesText(fit.stepsMicro)
        + "; computed is the model less the gradients (" + formatBytes(fit.gradientBytes)
        + "), which one micro-batch alone\nneed not hold during its forward pass.\n"
        + table.render(colours) + "\n";
}

} // namespace

std::string fitText(const Experiment& experiment, const MemoryFit& fit, bool colours)
{
    std::string text = printable(experiment.name + " on " + fit.device + ", " + fit.deviceName)
        + ", " + std::to_string(fit.threads) + (fit.threads == 1 ? " thread" : " threads") + "\n\n"
        + pointsText(fit, colours) + "\n" + lawText(fit.law) + "\n";
    if (fit.proof)
        text += proofText(*fit.proof) + "\n";
    const std::string fastest = fastestText(experiment, fit);
    if (!fastest.empty())
        text += fastest + "\n";
    return text + stepsText(fit, colours) + cardsText(experiment, fit, colours);
}

} // namespace accrue
