// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/run_tally.h"
#include "app/text_table.h"
#include "engine/base/format.h"
#include "engine/report/comparison_rows.h"

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

namespace {

constexpr int kNameWidth = 40; // columns; a name has no limit on screen

// A row with one value per run; a value that differs from the first run's is marked.
void addRow(TextTable& table, const std::string& title, const std::vector<std::string>& values)
{
    std::vector<Cell> row { title };
    for (const std::string& value : values) {
        const bool same = value == values.front();
        row.emplace_back(same ? value : value + " *", same ? TextStyle::Plain : TextStyle::Marked);
    }
    table.addRow(std::move(row));
}

template <typename Text>
void addFact(TextTable& table, const std::string& title, const RunComparison& comparison, Text text)
{
    std::vector<std::string> values;
    for (const RunRecord& run : comparison.runs)
        values.push_back(text(run));
    addRow(table, title, values);
}

void addFacts(TextTable& table, const RunComparison& comparison)
{
    using R = const RunRecord&;
    addFact(table, label("State"), comparison, conditionText);
    addFact(table, label("Updates"), comparison, [](R run) { return formatCount(run.step); });
    addFact(table, label("Batch"), comparison, [](R run) { return cutText(run); });
    addFact(table, label("Device"), comparison,
        [](R run) { return run.device.empty() ? "–" : run.device; });
    addFact(table, label("Time"), comparison, [](R run) { return formatDuration(run.seconds); });
    addFact(table, titleOf(infoOf(MetricId::Throughput)).text(), comparison,
        [](R run) { return run.throughput > 0 ? formatRate(run.throughput) : "–"; });
}

void addSettings(TextTable& table, const RunComparison& comparison)
{
    const std::vector<ComparisonRow> rows = settingRows(comparison);
    for (std::size_t i = 0; i < comparison.settings.size(); ++i) // the facts follow the settings
        if (!rows[i].identical)
            addRow(table, rows[i].title.text(), rows[i].values);
}

// The window has room for the lowest and highest values; here the table would get too wide.
void addMetrics(TextTable& table, const RunComparison& comparison)
{
    using Kind = ComparisonRow::Kind;
    for (const ComparisonRow& row : metricRows(comparison))
        if (row.kind != Kind::Lowest && row.kind != Kind::Highest)
            addRow(table, row.title.text(), row.values);
}

std::string comparisonText(const RunComparison& comparison, bool colours)
{
    std::vector<std::string> titles { "" };
    for (const RunRecord& run : comparison.runs)
        titles.push_back(clipped(labelOf(run), kNameWidth));
    TextTable table(titles);
    const auto addGap = [&table] { table.addRow({ "" }); };
    addSettings(table, comparison);
    addGap();
    addFacts(table, comparison);
    addGap();
    addMetrics(table, comparison);
    std::string text =
        table.render(colours) + "\n" + Message("cli.differs_from_first").text() + "\n";
    const auto& equivalence = comparison.equivalence;
    if (equivalence && equivalence->verdict != Equivalence::Verdict::NotComparable)
        text += "\n" + equivalence->sentence.text() + "\n";
    return text;
}

} // namespace

// The sentence that they are not comparable would only repeat the differences above.
int compareCommand(const Arguments& arguments, Console& console)
{
    requireRuns(arguments, 2);
    ChosenRuns chosen = chooseRuns(arguments, arguments.operands);
    const RunComparison comparison = compareRuns(chosen.log, chosen.ids);
    console.printResult(
        arguments.json, jsonOf(comparison), comparisonText(comparison, console.terminal().colours));
    return kExitDone;
}

} // namespace accrue
