// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/format.h"
#include "engine/compare/group_summary.h"
#include "engine/compare/key_effects.h"
#include "engine/runs/run_keys.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {
namespace {

TextTable tableOfGroups(const GroupSummary& summary)
{
    const std::size_t keys = summary.groups.keys.size();
    std::vector<std::string> titles = summary.groups.keys;
    titles.insert(titles.end(), { label("n"), summary.number.title.text(), label("Notes") });
    TextTable table(titles, { keys, keys + 1 });
    for (std::size_t i = 0; i < summary.groups.groups.size(); ++i) {
        std::vector<Cell> row;
        for (const auto& value : summary.groups.groups[i].values)
            row.emplace_back(value.text.empty() ? "–" : printable(value.text));
        const MeanInterval& mean = summary.numbers[i].mean;
        row.emplace_back(formatCount(mean.count));
        row.emplace_back(intervalText(summary.number, mean),
            summary.best == i ? TextStyle::Good : TextStyle::Plain);
        row.emplace_back(notesOf(summary.numbers[i]));
        table.addRow(std::move(row));
    }
    return table;
}

TextTable tableOfImportance(const GroupSummary& summary)
{
    TextTable table({ label("Key"), label("Explains"), label("95 % interval"), label("n"),
                        label("Groups"), label("Notes") },
        { 1, 3, 4 });
    for (const KeyImportance& each : summary.importance) {
        const OneWayEffect& effect = each.effect;
        const bool isKnown = std::isfinite(effect.omega);
        table.addRow({ printable(each.key), shareText(effect.omega),
            isKnown ? shareText(effect.low) + " – " + shareText(effect.high) : "–",
            formatCount(effect.count), formatCount(effect.groups), confoundingOf(each) });
    }
    return table;
}

std::string linesOf(const GroupSummary& summary)
{
    std::string text;
    for (const Message& each : sentencesOf(summary))
        text += printable(each.text()) + "\n";
    if (const Message warning = warningOf(summary); !warning.empty())
        text += "\n" + warning.text() + "\n";
    return text;
}

std::string textOf(const GroupSummary& summary, bool colours)
{
    std::string text = tableOfGroups(summary).render(colours);
    if (const std::string sentences = linesOf(summary); !sentences.empty())
        text += "\n" + sentences;
    // One key alone would only repeat the groups.
    if (summary.importance.size() > 1)
        text += "\n" + Message("groups.importance", { { "number", summary.number.title } }).text()
            + "\n" + tableOfImportance(summary).render(colours) + "\n"
            + printable(summary.explained.text()) + "\n";
    return text;
}

} // namespace

int summaryCommand(const Arguments& arguments, Console& console)
{
    ChosenRuns chosen = chooseRuns(arguments, {});
    const std::vector<RunRecord> runs = runsInQuestion(chosen.log, arguments);
    const std::string number = arguments.metric.value_or(kAccuracyFilter);
    const GroupSummary summary = summarize(runs,
        needsSummaries(number) ? summariesOf(chosen.log, runs) : std::vector<RunSummaries> {},
        { arguments.by, number, arguments.baseline.value_or("") });
    console.printResult(
        arguments.json, jsonOf(summary), textOf(summary, console.terminal().colours));
    return kExitDone;
}

} // namespace accrue
