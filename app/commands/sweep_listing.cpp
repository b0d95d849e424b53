// SPDX-License-Identifier: Apache-2.0
#include "app/commands/sweep_listing.h"

#include "app/findings.h"
#include "app/log_access.h"
#include "app/run_tally.h"
#include "app/text_table.h"
#include "engine/base/format.h"
#include "engine/base/sentences.h"
#include "engine/events/json_list.h"
#include "engine/events/json_value.h"
#include "engine/report/sweep_outlook.h"
#include "engine/sweep/sweep_json.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kUnknown = "–";

std::string tableOf(const std::vector<SweepRun>& runs, bool colours)
{
    TextTable table({ "#", label("Settings"), label("Batch"), label("Updates"),
                        label("Peak memory"), label("Time") },
        { 0, 3, 4, 5 });
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const SweepRun& run = runs[i];
        const SweepPrediction& known = run.prediction;
        table.addRow({ std::to_string(i + 1),
            { printable(differencesOf(run)), run.canRun() ? TextStyle::Plain : TextStyle::Bad },
            run.canRun() ? planText(run.resolved->plan) : label("impossible"),
            known.updates ? formatCount(*known.updates) : kUnknown,
            known.peakBytes ? formatBytes(*known.peakBytes) : kUnknown,
            known.time ? formatDuration(known.time->seconds) : kUnknown });
    }
    return table.render(colours);
}

// ---- findings ----

struct SharedFinding {
    Finding finding;
    std::vector<std::size_t> runs; // their numbers, ascending
};

// Each once, in the order of the runs.
std::vector<SharedFinding> sharedFindings(const std::vector<SweepRun>& runs)
{
    std::vector<SharedFinding> all;
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (const Finding& finding : runs[i].findings) {
            auto shared = std::find_if(all.begin(), all.end(), [&](const SharedFinding& other) {
                return other.finding.key == finding.key && other.finding.message == finding.message;
            });
            if (shared == all.end())
                shared = all.insert(all.end(), { finding, {} });
            shared->runs.push_back(i + 1);
        }
    return all;
}

// "1–4, 7"
std::string numbersText(const std::vector<std::size_t>& numbers)
{
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        const std::string first = std::to_string(numbers[i]);
        parts.push_back(last == i ? first : first + "–" + std::to_string(numbers[last]));
        i = last + 1;
    }
    return commaList(parts).english();
}

std::string findingsText(const SweepRuns& sweep)
{
    std::vector<std::string> lines;
    for (const SharedFinding& shared : sharedFindings(sweep.runs))
        lines.push_back(findingText(shared.finding,
            Message("cli.sweep_of_runs", { { "numbers", numbersText(shared.runs) } }).text()));
    for (const Finding& note : sweep.notes)
        lines.push_back(printable(note.message.text()));
    std::string text;
    for (const std::string& line : lines)
        text += (text.empty() ? "\n" : "") + line + "\n";
    return text;
}

// ---- totals ----

Message timeText(const SweepTotals& totals)
{
    if (totals.withoutTime == totals.runs)
        return Message("cli.sweep_time_unknown");
    const PredictedTime& time = totals.time;
    const Message seconds = time.low && time.high
        ? Message("cli.sweep_time_within",
            { { "seconds", Duration { time.seconds } }, { "low", Duration { *time.low } },
                { "high", Duration { *time.high } } })
        : Message("cli.sweep_time", { { "seconds", Duration { time.seconds } } });
    return totals.withoutTime == 0 ? seconds
                                   : Message("cli.sweep_time_of_some",
                                       { { "time", seconds }, { "unknown", totals.withoutTime } });
}

std::string totalsText(const SweepRuns& sweep)
{
    const SweepTotals totals = totalsOf(sweep.runs);
    const auto impossible = std::ssize(sweep.runs) - totals.runs;
    std::vector<Message> parts { countOfRuns(static_cast<std::size_t>(totals.runs)) };
    if (impossible > 0)
        parts.push_back(Message("cli.sweep_impossible", { { "count", impossible } }));
    if (totals.runs > 0)
        parts.push_back(timeText(totals));
    if (totals.peakBytes)
        parts.push_back(
            Message("cli.sweep_peak", { { "bytes", ByteCount { *totals.peakBytes } } }));
    return "\n" + clausesOf(parts).text() + "\n";
}

// ---- JSON ----

template <typename Value> Json orNull(const std::optional<Value>& value)
{
    return value ? Json(*value) : Json();
}

const char* nameOf(Finding::Severity severity)
{
    constexpr const char* kNames[] { "error", "warning", "note" };
    return kNames[static_cast<std::size_t>(severity)];
}

Json jsonOfFinding(const Finding& finding)
{
    return { { "severity", nameOf(finding.severity) }, { "key", finding.key },
        { "text", finding.message.english() }, { "code", finding.message.code() },
        { "arguments", finding.message.toJson() } };
}

Json jsonOfTime(const std::optional<PredictedTime>& time)
{
    return time ? Json { { "seconds", time->seconds }, { "low", orNull(time->low) },
        { "high", orNull(time->high) } }
                : Json();
}

Json jsonOfPlan(const BatchPlan& plan)
{
    return { { "effective", plan.effective }, { "micro", plan.micro }, { "steps", plan.steps },
        { "devices", plan.devices } };
}

Json jsonOfRun(const SweepRun& run)
{
    Json values = Json::object();
    for (const auto& [key, value] : run.values)
        values[key] = jsonOf(value);
    const SweepPrediction& known = run.prediction;
    return { { "name", run.name() }, { "settings", values }, { "possible", run.canRun() },
        { "plan", run.canRun() ? jsonOfPlan(run.resolved->plan) : Json() },
        { "updates", orNull(known.updates) }, { "peak_bytes", orNull(known.peakBytes) },
        { "time", jsonOfTime(known.time) }, { "findings", jsonList(run.findings, jsonOfFinding) } };
}

} // namespace

std::string sweepText(const SweepRuns& sweep, bool colours)
{
    return tableOf(sweep.runs, colours) + findingsText(sweep) + totalsText(sweep);
}

Json sweepJson(const SweepDefinition& definition, const SweepRuns& sweep)
{
    const SweepTotals totals = totalsOf(sweep.runs);
    const bool isKnown = totals.withoutTime < totals.runs;
    return { { "definition", jsonOf(definition) }, { "runs", jsonList(sweep.runs, jsonOfRun) },
        { "notes", jsonList(sweep.notes, jsonOfFinding) }, { "possible", totals.runs },
        { "time", jsonOfTime(isKnown ? std::optional(totals.time) : std::nullopt) },
        { "without_time", totals.withoutTime }, { "peak_bytes", orNull(totals.peakBytes) } };
}

} // namespace accrue
