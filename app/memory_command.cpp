// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"
#include "app/csv_output.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/run_tally.h"
#include "app/runs_json.h"
#include "app/text_table.h"
#include "app/wrong_input.h"
#include "engine/events/event_json.h"
#include "engine/events/memory_layers.h"
#include "engine/experiment/format.h"
#include "engine/runlog/csv.h"

#include <algorithm>
#include <cctype>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kNamedSteps = 8;

std::int64_t stepAsked(const std::string& text)
{
    const auto step = positiveNumber(text);
    if (!step)
        throw WrongInput(
            "--step needs the number of an update, 1 or more; \"" + text + "\" is none.");
    return *step;
}

// The window asked for; otherwise the one in which the run needed the most.
MemoryMeasured chosenWindow(const Arguments& arguments, RunLogReader& log, const RunRecord& run)
{
    const std::vector<std::int64_t> steps = log.meteredSteps(run.id);
    if (steps.empty())
        throw WrongInput(labelOf(run)
            + " has no measured memory: memory.metering was off, no window was finished, or the log"
              " is of an older program. Train it with memory.metering = \"window\".");
    if (!arguments.step)
        return log.memoryAt(run.id, std::max(steps.front(), log.memoryPeak(run.id).step));
    const std::int64_t asked = stepAsked(*arguments.step);
    if (asked < steps.front())
        throw WrongInput("The first window of " + labelOf(run)
            + " with measured memory is that of step " + formatCount(steps.front())
            + "; name it or a later one with --step.");
    if (asked > run.step)
        throw WrongInput(labelOf(run) + " has made " + formatCount(run.step)
            + " steps; name one of them with --step.");
    return log.memoryAt(run.id, asked);
}

// A column of the table of phases that is left out where all its cells are 0.
struct Column {
    std::string title;
    std::vector<std::int64_t> bytes;

    bool isEmpty() const
    {
        return std::all_of(bytes.begin(), bytes.end(), [](std::int64_t each) { return each == 0; });
    }
};

std::string capitalized(std::string text)
{
    if (!text.empty())
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

template <typename Bytes>
Column column(const std::string& title, const MemoryMeasured& measured, Bytes bytes)
{
    Column made { title, {} };
    for (const PhaseMemory& phase : measured.phases)
        made.bytes.push_back(bytes(phase));
    return made;
}

std::vector<Column> columnsOf(const MemoryMeasured& measured)
{
    std::vector<Column> columns { column("Begin", measured,
                                      [](const PhaseMemory& p) { return p.beginBytes; }),
        column("End", measured, [](const PhaseMemory& p) { return p.endBytes; }),
        column("Peak", measured, [](const PhaseMemory& p) { return p.peakBytes; }) };
    for (std::size_t i = 0; i < kMemoryCategories; ++i)
        columns.push_back(column(capitalized(memoryCategoryName(static_cast<MemoryCategory>(i))),
            measured, [i](const PhaseMemory& p) { return p.atPeak.at(i); }));
    columns.push_back(
        column("Cached", measured, [](const PhaseMemory& p) { return p.cachedBytes; }));
    columns.push_back(
        column("Others", measured, [](const PhaseMemory& p) { return p.otherBytes; }));
    std::erase_if(columns, [](const Column& each) { return each.isEmpty(); });
    return columns;
}

TextTable tableOfPhases(const MemoryMeasured& measured)
{
    const std::vector<Column> columns = columnsOf(measured);
    std::vector<std::string> titles { "Phase", "Micro-batch", "Samples" };
    for (const Column& each : columns)
        titles.push_back(each.title);
    TextTable table(titles);
    for (std::size_t i = 1; i < titles.size(); ++i)
        table.setAlign(i, TextTable::Align::Right);
    for (std::size_t i = 0; i < measured.phases.size(); ++i) {
        const PhaseMemory& phase = measured.phases[i];
        std::vector<std::string> row { memoryPhaseName(phase.phase),
            phase.microBatch > 0 ? formatCount(phase.microBatch) : "–",
            formatCount(phase.samples) };
        for (const Column& each : columns)
            row.push_back(formatBytes(each.bytes[i]));
        table.addRow(row);
    }
    return table;
}

std::string shareOf(std::int64_t part, std::int64_t whole)
{
    return whole <= 0 ? "–" : formatPercent(static_cast<double>(part) / static_cast<double>(whole));
}

TextTable tableOfLayers(const std::vector<LayerBytes>& layers, std::int64_t whole)
{
    TextTable table({ "Layer", "Bytes", "Share" });
    table.setAlign(1, TextTable::Align::Right);
    table.setAlign(2, TextTable::Align::Right);
    for (const LayerBytes& each : layers)
        table.addRow({ each.layer.empty() ? "no layer" : each.layer, formatBytes(each.bytes),
            shareOf(each.bytes, whole) });
    return table;
}

TextTable tableOfOwners(const PhaseMemory& phase)
{
    TextTable table({ "Bytes", "Share", "Category", "Layer", "Operation" });
    table.setAlign(0, TextTable::Align::Right);
    table.setAlign(1, TextTable::Align::Right);
    for (const MemoryOwner& owner : phase.owners)
        table.addRow({ formatBytes(owner.bytes), shareOf(owner.bytes, phase.peakBytes),
            memoryCategoryName(owner.category), owner.layer, owner.operation });
    return table;
}

// "backward of micro-batch 1 of 32 samples, 2.9 MiB".
std::string peakText(const PhaseMemory& phase)
{
    std::string text = memoryPhaseName(phase.phase);
    if (phase.microBatch > 0)
        text += " of micro-batch " + formatCount(phase.microBatch);
    return text + ", " + formatCount(phase.samples)
        + (phase.samples == 1 ? " sample, " : " samples, ") + formatBytes(phase.peakBytes);
}

// Of the forward pass that keeps the most for its backward pass.
std::string layersText(const MemoryMeasured& measured, bool colours)
{
    const PhaseMemory* const forward = mostKept(measured);
    if (forward == nullptr)
        return {};
    const std::int64_t all =
        forward->atEnd.at(static_cast<std::size_t>(MemoryCategory::Activations));
    return "\n" + styled("Activations by layer", TextStyle::Bold, colours) + ": " + formatBytes(all)
        + " that the forward pass of micro-batch " + formatCount(forward->microBatch)
        + " keeps for its backward pass\n" + tableOfLayers(forward->kept, all).render(colours);
}

std::string ownersText(const MemoryMeasured& measured, bool colours)
{
    const PhaseMemory* const peak = highestPeak(measured);
    if (peak == nullptr || peak->owners.empty())
        return {};
    return "\n" + styled("What was live at the highest peak", TextStyle::Bold, colours) + ": "
        + peakText(*peak) + "\n" + tableOfOwners(*peak).render(colours);
}

std::string stepsText(const std::vector<std::int64_t>& steps)
{
    if (steps.size() == 1)
        return "all windows need the same";
    std::string text = "memory changed at the steps ";
    for (std::size_t i = 0; i < std::min(steps.size(), kNamedSteps); ++i)
        text += (i > 0 ? ", " : "") + formatCount(steps[i]);
    return steps.size() > kNamedSteps ? text + ", … " + formatCount(steps.back()) : text;
}

std::string memoryText(
    RunLogReader& log, const RunRecord& run, const MemoryMeasured& measured, bool colours)
{
    return styled(labelOf(run), TextStyle::Bold, colours) + "\n" + cutText(run.plan, run.cutMicro)
        + ", " + printable(run.device) + ". Window of step " + formatCount(measured.step) + "; "
        + stepsText(log.meteredSteps(run.id)) + ".\n\n" + tableOfPhases(measured).render(colours)
        + layersText(measured, colours) + ownersText(measured, colours);
}

Json memoryJson(RunLogReader& log, const RunRecord& run, const MemoryMeasured& measured)
{
    Json object { { "run", numberOf(run.id) }, { "name", run.name },
        { "steps", log.meteredSteps(run.id) } };
    Json window = jsonObjects(measured).front();
    window.erase("event");
    object.update(window);
    return object;
}

} // namespace

int memoryCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 1)
        throw WrongInput("memory takes one run, for example accrue memory 12; accrue list shows the"
                         " runs.");
    refuseJsonBesideCsv(arguments);
    ChosenRuns chosen = chooseRuns(arguments, arguments.operands);
    const RunRecord run = chosen.log.run(chosen.ids.front());
    const MemoryMeasured measured = chosenWindow(arguments, chosen.log, run);
    if (!arguments.csv.empty()) {
        std::vector<LogDamage> leftOut;
        exportMemoryCsv(chosen.log, { run.id }, csvTarget(arguments, console), whileRead(console),
            arguments.damaged ? &leftOut : nullptr);
        sayLeftOut(leftOut, console);
        if (isCsvToOutput(arguments))
            return kExitDone;
        console.say("Wrote the memory of " + labelOf(run) + " to " + arguments.csv + ".");
    }
    console.print(arguments.json
            ? textOf(memoryJson(chosen.log, run, measured))
            : memoryText(chosen.log, run, measured, console.terminal().colours));
    return kExitDone;
}

} // namespace accrue
