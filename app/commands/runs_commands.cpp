// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/run_tally.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/format.h"
#include "engine/base/sentences.h"
#include "engine/events/json_list.h"
#include "engine/exchange/csv.h"
#include "engine/report/comparison_rows.h"
#include "engine/runlog/run_log_writer.h"
#include "engine/runs/run_json.h"
#include "engine/runs/run_keys.h"
#include "engine/runs/run_order.h"
#include "engine/runs/run_tags.h"
#include "engine/runs/settled_settings.h"

#include <filesystem>
#include <set>
#include <system_error>

#include <nlohmann/json.hpp>

namespace accrue {

namespace fs = std::filesystem;

namespace {

constexpr int kNameWidth = 40; // columns; a name has no limit on screen

TextStyle styleOf(const RunRecord& run)
{
    if (run.state == RunState::Interrupted)
        return TextStyle::Marked;
    if (run.state != RunState::Finished || !run.outcome)
        return TextStyle::Plain;
    if (*run.outcome == RunOutcome::Completed)
        return TextStyle::Good;
    return *run.outcome == RunOutcome::Stopped ? TextStyle::Marked : TextStyle::Bad;
}

std::string percentOr(const std::optional<double>& share)
{
    return share ? formatPercent(*share) : "–";
}

std::string numberOr(const std::optional<double>& value)
{
    return value ? formatNumber(*value) : "–";
}

// "running, attempt 2, archived"
Cell stateCell(const RunRecord& run)
{
    std::vector<Message> words { Message::plain(conditionText(run)) };
    if (run.early != EarlyEnd::None)
        words.push_back(Message::plain(label("ended early")));
    if (run.attempt > 1)
        words.push_back(Message("cli.attempt", { { "attempt", run.attempt } }));
    if (run.archived)
        words.push_back(Message::plain(label("archived")));
    return { clausesOf(words).text(), styleOf(run) };
}

// Something else than Accrue does not say how many there will be.
std::string progressText(const RunRecord& run)
{
    return formatCount(run.step)
        + (hasRecipe(run) ? "/" + formatCount(run.totalSteps) : std::string());
}

std::string timeText(const RunRecord& run)
{
    return wasTrained(run) ? formatDuration(run.seconds) : "–";
}

TextTable tableOfRuns(const std::vector<RunRecord>& runs)
{
    TextTable table({ label("Run"), label("Name"), label("State"), label("Step"),
                        titleOf(infoOf(MetricId::Loss)).text(), label("Test"), label("Best"),
                        label("Time"), label("Batch"), label("Device"), label("Created") },
        { 0, 3, 4, 5, 6, 7 });
    for (const RunRecord& run : runs)
        table.addRow(
            { "#" + std::to_string(numberOf(run.id)), clipped(printable(run.name), kNameWidth),
                stateCell(run), progressText(run), numberOr(run.lastLoss),
                percentOr(run.finalTestAccuracy), percentOr(bestAccuracyOf(run)), timeText(run),
                planText(run), run.device, dateText(run.createdMs) });
    return table;
}

void addKnown(TextTable& table, const std::string& title, const std::string& value)
{
    if (!value.empty())
        table.addRow({ title, printable(value) });
}

// Who trained and logged a run that has no recipe.
void addSource(TextTable& table, const RunRecord& run)
{
    table.addRow({ label("Logged by"), textOf(run.source) });
    addKnown(table, label("Imported from"), run.origin);
    table.addRow({ label("Updates"), formatCount(run.step) });
    table.addRow({ label("Time"), timeText(run) });
    if (run.throughput > 0)
        table.addRow({ titleOf(infoOf(MetricId::Throughput)), formatRate(run.throughput) });
    if (run.peakBytes > 0)
        addPeaks(table, run.peakBytes, run.evaluationPeakBytes);
    addKnown(table, label("Device"), run.device);
    addKnown(table, label("Host"), run.host);
    addKnown(table, label("PyTorch"), run.torchVersion);
}

void addTraining(TextTable& table, const RunRecord& run)
{
    table.addRow({ label("Updates"),
        Message("cli.updates_of_run",
            { { "step", run.step }, { "steps", run.totalSteps }, { "samples", run.samples },
                { "epoch", run.epoch } }) });
    table.addRow({ label("Time"), timeText(run) });
    table.addRow({ titleOf(infoOf(MetricId::Throughput)), formatRate(run.throughput) });
    addPeaks(table, run.peakBytes, run.evaluationPeakBytes);
    table.addRow({ label("Batch"), cutText(run.plan, run.cutMicro) });
    table.addRow({ label("Model"),
        Message("cli.parameters_of_model", { { "parameters", run.parameters } }) });
    table.addRow({ label("Data"), run.dataDescription });
    table.addRow({ label("Device"),
        clausesOf({ Message::plain(run.device), Message::plain(run.deviceName),
            countOfThreads(run.threads) }) });
    table.addRow({ label("Host"), run.host });
    table.addRow({ label("Program"),
        "accrue " + run.programVersion + " (" + run.codeRevision + "), torch "
            + run.torchVersion });
    table.addRow({ label("Checkpoint"), run.checkpoint.empty() ? label("none") : run.checkpoint });
}

std::string keyText(const std::string& key, double value)
{
    if (const MetricInfo* metric = findMetric(key); metric != nullptr && key != kLossFilter)
        return metricText(*metric, value);
    if (key == kAccuracyFilter)
        return formatPercent(value);
    if (key == kTimeFilter)
        return formatDuration(value);
    return key == kMemoryFilter ? formatBytes(static_cast<std::int64_t>(value))
                                : formatNumber(value);
}

// Of a state the first word is the more precise one.
std::string keyText(const std::string& key, const RunValue& value)
{
    if (value.number)
        return keyText(key, *value.number);
    if (value.words.empty())
        return "–";
    return printable(key == "tag" ? textOfTags(value.words) : value.words.front());
}

// Number and name, followed by the keys of --columns.
TextTable tableOfKeys(const std::vector<RunRecord>& runs, const std::vector<std::string>& keys)
{
    std::vector<RunReading> readings;
    std::vector<std::string> titles { label("Run"), label("Name") };
    std::set<std::size_t> right { 0 };
    for (const std::string& key : keys) {
        readings.push_back(readingOf(key));
        if (!readings.back())
            throw InputError(unknownRunKey(key));
        if (!mayBeWord(key, "–"))
            right.insert(titles.size());
        titles.push_back(key);
    }
    TextTable table(titles, right);
    for (const RunRecord& run : runs) {
        std::vector<Cell> cells { "#" + std::to_string(numberOf(run.id)),
            clipped(printable(run.name), kNameWidth) };
        for (std::size_t i = 0; i < keys.size(); ++i)
            cells.emplace_back(clipped(keyText(keys[i], readings[i](run)), kNameWidth));
        table.addRow(std::move(cells));
    }
    return table;
}

void addFacts(TextTable& table, const RunRecord& run)
{
    table.addRow({ label("State"), stateCell(run) });
    if (!run.message.empty())
        table.addRow({ label("Reason"), run.message });
    table.addRow({ label("Created"), dateText(run.createdMs) });
    if (run.endedMs != 0)
        table.addRow({ label("Ended"), dateText(run.endedMs) });
    (hasRecipe(run) ? addTraining : addSource)(table, run);
    if (!run.tags.empty())
        table.addRow({ label("Tags"), textOfTags(run.tags) });
    if (!run.note.empty())
        table.addRow({ label("Note"), run.note });
}

TextTable tableOfSettings(const RunRecord& run)
{
    TextTable table({ label("Setting"), label("Value"), "" });
    for (const auto& [key, value] : requestedSettings(run)) {
        const bool changed = hasRecipe(run) && !isDefault(run, key);
        // The name is the heading, and may have been changed since.
        if (key != "name" || !hasRecipe(run))
            table.addRow({ printable(key),
                { printable(settingText(value)), changed ? TextStyle::Marked : TextStyle::Plain },
                changed ? "*" : "" });
    }
    return table;
}

TextTable tableOfMetrics(RunLogReader& log, RunId id)
{
    TextTable table({ label("Metric"), label("Final"), label("Best"), label("at step"),
                        label("Lowest"), label("Highest") },
        { 1, 2, 3, 4, 5 });
    for (const MetricSummary& summary : log.summaries(id)) {
        const MetricInfo info = metricNamed(summary.metric);
        // For metrics such as the learning rate, neither the highest nor the lowest value is the
        // best.
        const bool best = hasBest(info);
        table.addRow({ titleOf(info), metricText(info, summary.final),
            best ? metricText(info, summary.best) : "–", best ? formatCount(summary.bestStep) : "–",
            metricText(info, summary.min), metricText(info, summary.max) });
    }
    return table;
}

TextTable tableOfAttempts(const std::vector<RunAttempt>& attempts)
{
    TextTable table({ label("Attempt"), label("From step"), label("Started"), label("Ended"),
                        label("Outcome"), label("Host"), label("Device") },
        { 0, 1 });
    for (const RunAttempt& attempt : attempts)
        table.addRow({ std::to_string(attempt.attempt), formatCount(attempt.from.step),
            dateText(attempt.startedMs), attempt.endedMs == 0 ? "–" : dateText(attempt.endedMs),
            attempt.outcome ? textOfOutcome(*attempt.outcome) : "–", attempt.host,
            attempt.device });
    return table;
}

std::string textOfMarker(const RunMarker& marker)
{
    const auto outcome = bareOutcome(marker);
    const std::string text = outcome ? textOfOutcome(*outcome) : marker.text.text();
    return marker.superseded ? Message("cli.superseded_event", { { "event", text } }).text() : text;
}

TextTable tableOfMarkers(const std::vector<RunMarker>& markers)
{
    TextTable table({ label("Step"), label("Time"), label("Event") }, { 0, 1 });
    for (const RunMarker& marker : markers)
        table.addRow(
            { formatCount(marker.step), formatDuration(marker.seconds), textOfMarker(marker) });
    return table;
}

// Selects and sorts them by --filter and --sort.
void choose(std::vector<RunRecord>& runs, const Arguments& arguments)
{
    const std::vector<std::string> others = keysOfOthers(runs);
    applyFilter(runs, arguments);
    if (arguments.sort)
        runOrderOf(*arguments.sort, others).sort(runs);
}

// "; damaged and skipped, completely or partly: 1 run"
std::string damagedText(const std::vector<LogDamage>& leftOut)
{
    std::set<RunId> runs;
    for (const LogDamage& damage : leftOut)
        if (damage.run)
            runs.insert(*damage.run);
    if (runs.empty())
        return {};
    return Message("cli.damaged_runs", { { "runs", countOfRuns(runs.size()) } }).text();
}

} // namespace

int listCommand(const Arguments& arguments, Console& console)
{
    std::optional<RunLogReader> log = openExistingLog(arguments);
    const auto which = arguments.all ? RunLogReader::Archived::Show : RunLogReader::Archived::Hide;
    std::vector<RunRecord> runs = log ? log->runs(which) : std::vector<RunRecord> {};
    // On err, because out is for the list, of which --json prints an empty one.
    if (runs.empty())
        console.say(Message(log ? "cli.no_runs" : "cli.no_log_to_list",
            { { "file", runLogOf(arguments).string() } }));
    const std::size_t all = runs.size();
    choose(runs, arguments);
    // Otherwise an empty table could be mistaken for an empty log.
    if (runs.empty() && all > 0)
        console.say(Message("cli.no_run_matches",
            { { "runs", countOfRuns(all) }, { "filter", arguments.filter.value_or("") } }));
    if (arguments.json)
        console.printJson(jsonList(runs, [](const RunRecord& run) { return jsonOf(run); }));
    else if (!runs.empty())
        console.print(
            (arguments.columns.empty() ? tableOfRuns(runs) : tableOfKeys(runs, arguments.columns))
                .render(console.terminal().colours));
    return kExitDone;
}

int showCommand(const Arguments& arguments, Console& console)
{
    requireRuns(arguments, 1);
    if (arguments.operands.size() > 1)
        throw InputError(Message("cli.show_of_several"));
    ChosenRuns chosen = chooseRuns(arguments, arguments.operands);
    const RunRecord run = chosen.log.run(chosen.ids.front());
    if (arguments.json) {
        console.printJson(jsonOf(run));
        return kExitDone;
    }
    const bool colours = console.terminal().colours;
    TextTable facts;
    addFacts(facts, run);
    std::string text = styled(labelOf(run), TextStyle::Bold, colours) + "\n" + facts.render(colours)
        + "\n" + tableOfMetrics(chosen.log, run.id).render(colours) + "\n"
        + tableOfSettings(run).render(colours);
    if (hasRecipe(run))
        text += "\n" + Message("cli.differs_from_default").text() + "\n";
    if (run.attempt > 1)
        text += "\n" + tableOfAttempts(chosen.log.attempts(run.id)).render(colours);
    const std::vector<RunMarker> markers = chosen.log.markers(run.id);
    if (!markers.empty())
        text += "\n" + tableOfMarkers(markers).render(colours);
    console.print(text);
    return kExitDone;
}

int exportCommand(const Arguments& arguments, Console& console)
{
    if (!arguments.tensorBoard.empty())
        return exportToTensorBoard(arguments, console);
    if (arguments.csv.empty())
        throw InputError(Message("cli.csv_file_needed"));
    refuseJsonBesideCsv(arguments);
    ChosenRuns chosen = chooseRuns(arguments, arguments.runs);
    if (arguments.runs.empty())
        // Only runs that are not archived: archived ones are exported when they are named.
        for (const RunRecord& run : chosen.log.runs())
            chosen.ids.push_back(run.id);
    const std::vector<LogDamage> leftOut =
        exportRuns(chosen, arguments.wide ? exportRunsCsv : exportSeriesCsv, arguments, console);
    // The output must contain nothing but the CSV.
    if (isCsvToOutput(arguments))
        return kExitDone;
    const fs::path file = arguments.csv;
    // The size is only reported: if it cannot be read, the file has nevertheless been written.
    std::error_code ignored;
    const auto bytes = static_cast<std::int64_t>(fs::file_size(file, ignored));
    const Message wrote("cli.wrote_runs",
        { { "runs", countOfRuns(chosen.ids.size()) }, { "bytes", ByteCount { bytes } },
            { "file", printable(file.string()) } });
    console.printResult(arguments.json,
        { { "file", file.string() }, { "runs", chosen.ids.size() }, { "bytes", bytes },
            { "form", arguments.wide ? "wide" : "long" }, { "left_out", leftOut.size() } },
        wrote.text() + damagedText(leftOut) + "\n");
    return kExitDone;
}

int archiveCommand(const Arguments& arguments, Console& console)
{
    requireRuns(arguments, 1);
    const bool archived = arguments.command == "archive";
    const ChosenRuns chosen = chooseRuns(arguments, arguments.operands);
    const std::unique_ptr<RunLogWriter> writer = openToWrite(arguments, console);
    for (const RunId id : chosen.ids)
        writer->setArchived(id, archived);
    if (arguments.json)
        console.printJson(
            { { archived ? "archived" : "unarchived", jsonList(chosen.ids, numberOf) } });
    else
        console.printLine(Message(archived ? "cli.archived" : "cli.unarchived",
            { { "runs", countOfRuns(chosen.ids.size()) } }));
    return kExitDone;
}

} // namespace accrue
