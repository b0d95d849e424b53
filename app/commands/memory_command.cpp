// SPDX-License-Identifier: Apache-2.0
#include "app/argument_parser.h"
#include "app/commands/commands.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/run_tally.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/format.h"
#include "engine/events/event_json.h"
#include "engine/events/memory.h"
#include "engine/exchange/csv.h"
#include "engine/report/comparison_rows.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kNamedSteps = 8;

std::int64_t stepAsked(const std::string& text)
{
    const auto step = positiveNumber(text);
    if (!step)
        throw InputError(Message("cli.wrong_step", { { "text", text } }));
    return *step;
}

// The requested window; otherwise the one in which the run needed the most memory.
MemoryMeasured chosenWindow(const Arguments& arguments, RunLogReader& log, const RunRecord& run)
{
    const std::vector<std::int64_t> steps = log.meteredSteps(run.id);
    if (steps.empty())
        throw InputError(Message("cli.memory_not_measured", { { "run", labelOf(run) } }));
    // An evaluation before the first window may have the highest peak, but no window is shown for
    // it.
    if (!arguments.step)
        return log.memoryAt(run.id, std::max(steps.front(), log.highestStep(run.id)));
    const std::int64_t asked = stepAsked(*arguments.step);
    if (asked < steps.front())
        throw InputError(Message(
            "cli.memory_measured_later", { { "run", labelOf(run) }, { "step", steps.front() } }));
    if (asked > run.step)
        throw InputError(
            Message("cli.step_not_reached", { { "run", labelOf(run) }, { "step", run.step } }));
    return log.memoryAt(run.id, asked);
}

// A column of the table of phases; left out if all its cells are 0.
struct MemoryColumn {
    std::string title;
    std::function<std::int64_t(const PhaseMemory&)> bytes;
};

std::vector<MemoryColumn> columnsOf(const MemoryMeasured& measured)
{
    std::vector<MemoryColumn> columns { { label("Begin"), &PhaseMemory::beginBytes },
        { label("End"), &PhaseMemory::endBytes }, { label("Peak"), &PhaseMemory::peakBytes } };
    for (std::size_t i = 0; i < kMemoryCategories; ++i)
        columns.push_back({ capitalised(categoryText(static_cast<MemoryCategory>(i))),
            [i](const PhaseMemory& phase) { return phase.atPeak.at(i); } });
    columns.push_back({ label("Cached"), &PhaseMemory::cachedBytes });
    columns.push_back({ label("Others"), &PhaseMemory::otherBytes });
    std::erase_if(columns, [&](const MemoryColumn& column) {
        return std::all_of(measured.phases.begin(), measured.phases.end(),
            [&](const PhaseMemory& phase) { return column.bytes(phase) == 0; });
    });
    return columns;
}

TextTable tableOfPhases(const MemoryMeasured& measured)
{
    const std::vector<MemoryColumn> columns = columnsOf(measured);
    std::vector<std::string> titles { label("Phase"), label("Micro-batch"), label("Samples") };
    for (const MemoryColumn& each : columns)
        titles.push_back(each.title);
    std::set<std::size_t> numbers;
    for (std::size_t i = 1; i < titles.size(); ++i)
        numbers.insert(i);
    TextTable table(titles, numbers);
    for (const PhaseMemory& phase : measured.phases) {
        std::vector<Cell> row { phaseText(phase.phase),
            phase.microBatch > 0 ? formatCount(phase.microBatch) : "–",
            formatCount(phase.samples) };
        for (const MemoryColumn& each : columns)
            row.emplace_back(formatBytes(each.bytes(phase)));
        table.addRow(std::move(row));
    }
    return table;
}

std::string shareOf(std::int64_t part, std::int64_t whole)
{
    return whole <= 0 ? "–" : formatPercent(static_cast<double>(part) / static_cast<double>(whole));
}

TextTable tableOfLayers(const std::vector<LayerBytes>& layers, std::int64_t whole)
{
    TextTable table({ label("Layer"), label("Bytes"), label("Share") }, { 1, 2 });
    for (const LayerBytes& each : layers)
        table.addRow({ each.layer.empty() ? label("no layer") : each.layer, formatBytes(each.bytes),
            shareOf(each.bytes, whole) });
    return table;
}

TextTable tableOfOwners(const PhaseMemory& phase)
{
    TextTable table(
        { label("Bytes"), label("Share"), label("Category"), label("Layer"), label("Operation") },
        { 0, 1 });
    for (const MemoryOwner& owner : phase.owners)
        table.addRow({ formatBytes(owner.bytes), shareOf(owner.bytes, phase.peakBytes),
            categoryText(owner.category), ownerText(owner.layer), owner.operation });
    return table;
}

// "backward of micro-batch 1, 32 samples, 2.9 MiB"
std::string peakText(const PhaseMemory& phase)
{
    const std::string name = phaseText(phase.phase);
    const Message part = phase.microBatch > 0
        ? Message("cli.phase_of_micro_batch", { { "phase", name }, { "number", phase.microBatch } })
        : Message::plain(name);
    return Message("cli.peak_of_phase",
        { { "phase", part }, { "samples", phase.samples },
            { "bytes", ByteCount { phase.peakBytes } } })
        .text();
}

// For the forward pass that stores the most for its backward pass.
std::string layersText(const MemoryMeasured& measured, bool colours)
{
    const PhaseMemory* const forward = mostKept(measured);
    if (forward == nullptr)
        return {};
    const std::int64_t all =
        forward->atEnd.at(static_cast<std::size_t>(MemoryCategory::Activations));
    const Message sentence(
        "cli.activations", { { "number", forward->microBatch }, { "bytes", ByteCount { all } } });
    return "\n" + heading(styled(label("Activations by layer"), TextStyle::Bold, colours))
        + sentence.text() + "\n" + tableOfLayers(forward->kept, all).render(colours);
}

std::string ownersText(const MemoryMeasured& measured, bool colours)
{
    const PhaseMemory* const peak = highestPeak(measured);
    if (peak == nullptr || peak->owners.empty())
        return {};
    return "\n" + heading(styled(label("Live at the highest peak"), TextStyle::Bold, colours))
        + peakText(*peak) + "\n" + tableOfOwners(*peak).render(colours);
}

Message changesOf(const std::vector<std::int64_t>& steps)
{
    if (steps.size() == 1)
        return Message("cli.same_memory");
    std::string text;
    // The memory of a run may change in thousands of windows.
    for (std::size_t i = 0; i < std::min(steps.size(), kNamedSteps); ++i)
        text += (i > 0 ? ", " : "") + formatCount(steps[i]);
    if (steps.size() > kNamedSteps)
        text += ", … " + formatCount(steps.back());
    return Message("cli.memory_changed", { { "steps", text } });
}

std::string memoryText(
    RunLogReader& log, const RunRecord& run, const MemoryMeasured& measured, bool colours)
{
    const Message window("cli.memory_of_window",
        { { "split", cutText(run.plan, run.cutMicro) }, { "device", printable(run.device) },
            { "step", measured.step }, { "changes", changesOf(log.meteredSteps(run.id)) } });
    return styled(labelOf(run), TextStyle::Bold, colours) + "\n" + window.text() + "\n\n"
        + tableOfPhases(measured).render(colours) + layersText(measured, colours)
        + ownersText(measured, colours);
}

Json memoryJson(RunLogReader& log, const RunRecord& run, const MemoryMeasured& measured)
{
    Json object { { "run", numberOf(run.id) }, { "name", run.name },
        { "steps", log.meteredSteps(run.id) } };
    // The same fields as in the event, except for its name.
    Json window = jsonObjects(measured).front();
    window.erase("event");
    object.update(window);
    return object;
}

} // namespace

int memoryCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 1)
        throw InputError(Message("cli.one_run_needed_for_memory"));
    // Before the log is read: the arguments alone show that this cannot work.
    refuseJsonBesideCsv(arguments);
    ChosenRuns chosen = chooseRuns(arguments, arguments.operands);
    const RunRecord run = chosen.log.run(chosen.ids.front());
    const MemoryMeasured measured = chosenWindow(arguments, chosen.log, run);
    if (!arguments.csv.empty()) {
        exportRuns(chosen, exportMemoryCsv, arguments, console);
        // The table would be mixed with the CSV.
        if (isCsvToOutput(arguments))
            return kExitDone;
        console.say(
            Message("cli.wrote_memory", { { "run", labelOf(run) }, { "file", arguments.csv } }));
    }
    // Each reads the log.
    if (arguments.json)
        console.printJson(memoryJson(chosen.log, run, measured));
    else
        console.print(memoryText(chosen.log, run, measured, console.terminal().colours));
    return kExitDone;
}

} // namespace accrue
