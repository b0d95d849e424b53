// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"
#include "app/comparison.h"
#include "app/csv_output.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/run_tally.h"
#include "app/runs_json.h"
#include "app/text_table.h"
#include "app/wrong_input.h"
#include "engine/events/event_json.h"
#include "engine/experiment/format.h"
#include "engine/runlog/csv.h"
#include "engine/runlog/run_json.h"
#include "engine/runlog/run_keys.h"
#include "engine/runlog/run_log_writer.h"
#include "engine/runlog/run_order.h"
#include "engine/runlog/run_query.h"
#include "engine/runlog/run_tags.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <system_error>

namespace accrue {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

constexpr int kNameWidth = 40; // columns; a name may be as long as it likes

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

// "running, attempt 2, archived": more than its condition where there is more to say.
Cell stateCell(const RunRecord& run)
{
    return { conditionName(run)
            + (run.attempt > 1 ? ", attempt " + std::to_string(run.attempt) : "")
            + (run.archived ? ", archived" : ""),
        styleOf(run) };
}

TextTable tableOfRuns(const std::vector<RunRecord>& runs)
{
    TextTable table({ "Run", "Name", "State", "Step", "Loss", "Test", "Best", "Time", "Batch",
        "Device", "Created" });
    for (const std::size_t right : { 0, 3, 4, 5, 6, 7 })
        table.setAlign(right, TextTable::Align::Right);
    for (const RunRecord& run : runs)
        table.addCells({ { "#" + std::to_string(numberOf(run.id)) },
            { clipped(printable(run.name), kNameWidth) }, stateCell(run),
            { formatCount(run.step) + "/" + formatCount(run.totalSteps) },
            { numberOr(run.lastLoss) }, { percentOr(run.finalTestAccuracy) },
            { percentOr(bestAccuracyOf(run)) }, { formatDuration(run.seconds) },
            { planText(planInForce(run)) }, { run.device }, { dateText(run.createdMs) } });
    return table;
}

std::string noRunsHint(const fs::path& file, bool there)
{
    return (there ? "There are no runs in " + file.string()
                  : "There is no run log " + file.string() + " yet")
        + ". Train one: accrue train first-run";
}

void addFacts(TextTable& table, const RunRecord& run)
{
    table.addCells({ { "State" }, stateCell(run) });
    if (!run.message.empty())
        table.addRow({ "Because", run.message });
    table.addRow({ "Created", dateText(run.createdMs) });
    if (run.endedMs != 0)
        table.addRow({ "Ended", dateText(run.endedMs) });
    table.addRow({ "Updates",
        formatCount(run.step) + " of " + formatCount(run.totalSteps) + ", "
            + formatCount(run.samples) + " samples, epoch " + formatCount(run.epoch) });
    table.addRow({ "Time", formatDuration(run.seconds) });
    table.addRow({ "Throughput", formatRate(run.throughput) });
    addPeaks(table, run.peakBytes, run.evaluationPeakBytes);
    table.addRow({ "Batch", cutText(run.plan, run.cutMicro) });
    table.addRow({ "Model", formatCount(run.parameters) + " parameters" });
    table.addRow({ "Data", run.dataDescription });
    table.addRow({ "Device",
        run.device + ", " + run.deviceName + ", " + std::to_string(run.threads)
            + (run.threads == 1 ? " thread" : " threads") });
    table.addRow({ "Host", run.host });
    table.addRow({ "Program",
        "accrue " + run.programVersion + " (" + run.codeRevision + "), torch "
            + run.torchVersion });
    table.addRow({ "Checkpoint", run.checkpoint.empty() ? "none" : run.checkpoint });
    if (!run.tags.empty())
        table.addRow({ "Tags", textOfTags(run.tags) });
    if (!run.note.empty())
        table.addRow({ "Note", run.note });
}

TextTable tableOfSettings(const RunRecord& run)
{
    TextTable table({ "Setting", "Value", "" });
    const Settings defaults = settingsOf(Experiment {});
    const Settings settings = settingsOf(run.experiment);
    for (std::size_t i = 0; i < settings.size(); ++i) {
        const bool changed = settings[i].second != defaults[i].second;
        if (settings[i].first != "name")
            table.addCells({ { settings[i].first },
                { settingText(settings[i].second), changed ? TextStyle::Marked : TextStyle::Plain },
                { changed ? "*" : "" } });
    }
    return table;
}

TextTable tableOfMetrics(RunLogReader& log, RunId id)
{
    TextTable table({ "Metric", "Final", "Best", "at step", "Lowest", "Highest" });
    for (std::size_t column = 1; column < 6; ++column)
        table.setAlign(column, TextTable::Align::Right);
    const std::vector<MetricSummary> summaries = log.summaries(id);
    for (const MetricInfo& info : metrics())
        for (const MetricSummary& summary : summaries)
            if (summary.metric == info.name)
                table.addRow({ info.title, metricText(info, summary.final),
                    hasBest(info) ? metricText(info, summary.best) : "–",
                    hasBest(info) ? formatCount(summary.bestStep) : "–",
                    metricText(info, summary.min), metricText(info, summary.max) });
    return table;
}

TextTable tableOfAttempts(const std::vector<RunAttempt>& attempts)
{
    TextTable table({ "Attempt", "From step", "Begun", "Ended", "Outcome", "Host", "Device" });
    table.setAlign(0, TextTable::Align::Right);
    table.setAlign(1, TextTable::Align::Right);
    for (const RunAttempt& attempt : attempts)
        table.addRow({ std::to_string(attempt.attempt), formatCount(attempt.from.step),
            dateText(attempt.startedMs), attempt.endedMs == 0 ? "–" : dateText(attempt.endedMs),
            attempt.outcome ? std::string(nameOf(*attempt.outcome)) : "–", attempt.host,
            attempt.device });
    return table;
}

TextTable tableOfMarkers(const std::vector<RunMarker>& markers)
{
    TextTable table({ "Step", "Time", "What happened" });
    table.setAlign(0, TextTable::Align::Right);
    table.setAlign(1, TextTable::Align::Right);
    for (const RunMarker& marker : markers)
        table.addRow({ formatCount(marker.step), formatDuration(marker.seconds),
            marker.text + (marker.superseded ? " (superseded)" : "") });
    return table;
}

// A row of one value a run; a value that is not the first run's is marked.
void addCompared(TextTable& table, const std::string& title, const std::vector<std::string>& values)
{
    std::vector<Cell> row { { title } };
    for (const std::string& value : values) {
        const bool same = value == values.front();
        row.push_back({ same ? value : value + " *", same ? TextStyle::Plain : TextStyle::Marked });
    }
    table.addCells(std::move(row));
}

template <typename Text> std::vector<std::string> ofRuns(const Comparison& comparison, Text text)
{
    std::vector<std::string> values;
    for (const RunRecord& run : comparison.runs)
        values.push_back(text(run));
    return values;
}

std::vector<std::string> finalValues(const Comparison::Metric& metric)
{
    std::vector<std::string> values;
    for (const auto& value : metric.values)
        values.push_back(value ? metricText(metric.info, value->final) : "–");
    return values;
}

std::vector<std::string> bestValues(const Comparison::Metric& metric)
{
    std::vector<std::string> values;
    for (const auto& value : metric.values)
        values.push_back(value
                ? metricText(metric.info, value->best) + " at " + formatCount(value->bestStep)
                : "–");
    return values;
}

void addOutcomes(TextTable& table, const Comparison& comparison)
{
    addCompared(table, "State", ofRuns(comparison, conditionName));
    addCompared(table, "Updates",
        ofRuns(comparison, [](const RunRecord& run) { return formatCount(run.step); }));
    addCompared(table, "Batch",
        ofRuns(comparison, [](const RunRecord& run) { return cutText(run.plan, run.cutMicro); }));
    addCompared(
        table, "Device", ofRuns(comparison, [](const RunRecord& run) { return run.device; }));
    addCompared(table, "Time",
        ofRuns(comparison, [](const RunRecord& run) { return formatDuration(run.seconds); }));
    addCompared(table, "Throughput",
        ofRuns(comparison, [](const RunRecord& run) { return formatRate(run.throughput); }));
}

// Beside the peak of training; of runs of which one at least was metered.
void addEvaluationPeaks(TextTable& table, const Comparison& comparison)
{
    const auto metered = [](const RunRecord& run) { return run.evaluationPeakBytes > 0; };
    if (std::none_of(comparison.runs.begin(), comparison.runs.end(), metered))
        return;
    addCompared(table, kEvaluationPeakTitle, ofRuns(comparison, [&](const RunRecord& run) {
        return metered(run) ? formatBytes(run.evaluationPeakBytes) : "–";
    }));
}

std::string comparisonText(const Comparison& comparison, bool colours)
{
    std::vector<std::string> titles { "" };
    for (const RunRecord& run : comparison.runs)
        titles.push_back(clipped(labelOf(run), kNameWidth));
    TextTable table(titles);
    for (const Comparison::Setting& setting : comparison.differing) {
        std::vector<std::string> values;
        for (const SettingValue& value : setting.values)
            values.push_back(settingText(value));
        addCompared(table, setting.key, values);
    }
    table.addRow(std::vector<std::string> { "" });
    addOutcomes(table, comparison);
    table.addRow(std::vector<std::string> { "" });
    for (const Comparison::Metric& metric : comparison.metrics) {
        addCompared(table, metric.info.title + ", final", finalValues(metric));
        if (hasBest(metric.info))
            addCompared(table, metric.info.title + ", best", bestValues(metric));
        if (metric.info.name == "peak_bytes")
            addEvaluationPeaks(table, comparison);
    }
    const auto& equivalence = comparison.equivalence;
    const bool comparable =
        equivalence && equivalence->verdict != Equivalence::Verdict::NotComparable;
    return table.render(colours) + "\n* differs from the first run\n"
        + (comparable ? "\n" + equivalence->sentence + "\n" : std::string());
}

Json comparisonJson(const Comparison& comparison)
{
    Json json { { "runs", Json::array() }, { "settings", Json::array() },
        { "metrics", Json::array() } };
    for (const RunRecord& run : comparison.runs)
        json["runs"].push_back(jsonOf(run));
    for (const Comparison::Setting& setting : comparison.differing) {
        Json values = Json::array();
        for (const SettingValue& value : setting.values)
            values.push_back(jsonOf(value));
        json["settings"].push_back({ { "key", setting.key }, { "values", values } });
    }
    for (const Comparison::Metric& metric : comparison.metrics) {
        Json row { { "metric", metric.info.name }, { "final", Json::array() },
            { "best", Json::array() }, { "best_step", Json::array() } };
        for (const auto& value : metric.values) {
            row["final"].push_back(value ? jsonOf(value->final) : Json());
            row["best"].push_back(value ? jsonOf(value->best) : Json());
            row["best_step"].push_back(value ? Json(value->bestStep) : Json());
        }
        json["metrics"].push_back(row);
    }
    json["equivalence"] = comparison.equivalence ? jsonOf(*comparison.equivalence) : Json();
    return json;
}

std::vector<RunId> exportedRuns(const Arguments& arguments, RunLogReader& log)
{
    std::vector<RunId> ids;
    for (const std::string& name : arguments.runs) {
        const RunId id = log.resolve(name);
        if (std::find(ids.begin(), ids.end(), id) == ids.end())
            ids.push_back(id);
    }
    if (!arguments.runs.empty())
        return ids;
    for (const RunRecord& run : log.runs())
        ids.push_back(run.id);
    return ids;
}

// By --filter and --sort.
void choose(std::vector<RunRecord>& runs, const Arguments& arguments)
{
    const RunQuery query = RunQuery::parse(arguments.filter.value_or(""));
    if (!query.problem().empty())
        throw WrongInput("--filter: " + query.problem());
    std::erase_if(runs, [&](const RunRecord& run) { return !query.matches(run); });
    if (arguments.sort)
        runOrderOf(*arguments.sort).sort(runs);
}

// "; damaged and left out, whole or in part: 1 run"
std::string damagedText(const std::vector<LogDamage>& leftOut)
{
    std::set<RunId> runs;
    for (const LogDamage& damage : leftOut)
        if (damage.run)
            runs.insert(*damage.run);
    return runs.empty() ? ""
                        : "; damaged and left out, whole or in part: " + countOfRuns(runs.size());
}

// Throws WrongInput where the command names fewer runs; `what` is "a run", "two runs or more".
void requireOperands(const Arguments& arguments, std::size_t least, const char* what)
{
    if (arguments.operands.size() < least)
        throw WrongInput(arguments.command + " needs " + what + ", for example accrue "
            + arguments.command + (least > 1 ? " 12 13" : " 12") + "; accrue list shows the runs.");
}

} // namespace

int listCommand(const Arguments& arguments, Console& console)
{
    std::optional<RunLogReader> log = openExistingLog(arguments);
    const auto which = arguments.all ? RunLogReader::Archived::Show : RunLogReader::Archived::Hide;
    std::vector<RunRecord> runs = log ? log->runs(which) : std::vector<RunRecord> {};
    if (runs.empty())
        console.say(noRunsHint(runLogOf(arguments), log.has_value()));
    const std::size_t all = runs.size();
    choose(runs, arguments);
    if (runs.empty() && all > 0)
        console.say("None of " + countOfRuns(all) + " matches " + *arguments.filter + ".");
    if (arguments.json)
        console.print(toJson(runs) + "\n");
    else if (!runs.empty())
        console.print(tableOfRuns(runs).render(console.terminal().colours));
    return kExitDone;
}

int showCommand(const Arguments& arguments, Console& console)
{
    requireOperands(arguments, 1, "a run");
    if (arguments.operands.size() > 1)
        throw WrongInput("show takes one run; accrue compare takes several.");
    ChosenRuns chosen = chooseRuns(arguments, arguments.operands);
    const RunRecord run = chosen.log.run(chosen.ids.front());
    if (arguments.json) {
        console.print(toJson(run) + "\n");
        return kExitDone;
    }
    const bool colours = console.terminal().colours;
    TextTable facts;
    addFacts(facts, run);
    std::string text = styled(labelOf(run), TextStyle::Bold, colours) + "\n" + facts.render(colours)
        + "\n" + tableOfMetrics(chosen.log, run.id).render(colours) + "\n"
        + tableOfSettings(run).render(colours) + "\n* differs from the default\n";
    if (run.attempt > 1)
        text += "\n" + tableOfAttempts(chosen.log.attempts(run.id)).render(colours);
    const std::vector<RunMarker> markers = chosen.log.markers(run.id);
    if (!markers.empty())
        text += "\n" + tableOfMarkers(markers).render(colours);
    console.print(text);
    return kExitDone;
}

int compareCommand(const Arguments& arguments, Console& console)
{
    requireOperands(arguments, 2, "two runs or more");
    ChosenRuns chosen = chooseRuns(arguments, arguments.operands);
    const Comparison comparison = compareRuns(chosen.log, chosen.ids);
    console.print(arguments.json ? textOf(comparisonJson(comparison))
                                 : comparisonText(comparison, console.terminal().colours));
    return kExitDone;
}

int exportCommand(const Arguments& arguments, Console& console)
{
    if (arguments.csv.empty())
        throw WrongInput("export needs the file to write: accrue export --csv FILE.");
    refuseJsonBesideCsv(arguments);
    ChosenRuns chosen = chooseRuns(arguments, {});
    const std::vector<RunId> ids = exportedRuns(arguments, chosen.log);
    const fs::path file = arguments.csv;
    std::vector<LogDamage> leftOut;
    const auto write = arguments.wide ? exportRunsCsv : exportSeriesCsv;
    write(chosen.log, ids, csvTarget(arguments, console), whileRead(console),
        arguments.damaged ? &leftOut : nullptr);
    sayLeftOut(leftOut, console);
    if (isCsvToOutput(arguments))
        return kExitDone;
    std::error_code ignored;
    const auto bytes = static_cast<std::int64_t>(fs::file_size(file, ignored));
    if (arguments.json)
        console.print(
            textOf({ { "file", file.string() }, { "runs", ids.size() }, { "bytes", bytes },
                { "form", arguments.wide ? "wide" : "long" }, { "left_out", leftOut.size() } }));
    else
        console.print("Wrote " + countOfRuns(ids.size()) + ", " + formatBytes(bytes) + ", to "
            + printable(file.string()) + damagedText(leftOut) + "\n");
    return kExitDone;
}

int archiveCommand(const Arguments& arguments, Console& console)
{
    requireOperands(arguments, 1, "one run or more");
    const bool archived = arguments.command == "archive";
    const ChosenRuns chosen = chooseRuns(arguments, arguments.operands);
    const std::unique_ptr<RunLogWriter> writer = openToWrite(arguments, console);
    Json ids = Json::array();
    for (const RunId id : chosen.ids) {
        writer->setArchived(id, archived);
        ids.push_back(numberOf(id));
    }
    if (arguments.json)
        console.print(textOf({ { archived ? "archived" : "unarchived", ids } }));
    else
        console.print(
            (archived ? "Archived " : "Unarchived ") + countOfRuns(chosen.ids.size()) + ".\n");
    return kExitDone;
}

} // namespace accrue
