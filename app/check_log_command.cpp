// SPDX-License-Identifier: Apache-2.0
#include "app/check_log_command.h"

#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/log_progress_line.h"
#include "app/runs_json.h"
#include "app/text_table.h"
#include "app/wrong_input.h"
#include "engine/experiment/format.h"
#include "engine/runlog/log_check.h"

#include <system_error>

namespace accrue {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

struct Checked {
    LogCheck log;
    std::string problem; // why it cannot be opened, a sentence; empty: it can
    bool isWhole() const { return problem.empty() && log.damage.empty(); }
};

// A log too damaged to be opened is what was looked for.
Checked check(const fs::path& file, Console& console)
{
    LogProgressLine line(console);
    try {
        return { checkLog(file, line.progress()), {} };
    } catch (const RunLogError& error) {
        if (error.kind() != RunLogError::Kind::Damaged)
            throw;
        return { {}, error.what() };
    }
}

std::string stepsText(const LogDamage& damage)
{
    if (damage.lastStep == 0)
        return "–";
    const std::string first = formatCount(damage.firstStep);
    return damage.firstStep == damage.lastStep ? first
                                               : first + " to " + formatCount(damage.lastStep);
}

std::string tableText(const std::vector<LogDamage>& damage, bool colours)
{
    TextTable table({ "Table", "Run", "Attempt", "Steps", "Rows", "Damage" });
    for (const std::size_t right : { 1, 2, 4 })
        table.setAlign(right, TextTable::Align::Right);
    for (const LogDamage& each : damage)
        table.addRow({ each.table.empty() ? "the file" : each.table,
            each.run ? "#" + std::to_string(numberOf(*each.run)) : "–",
            each.attempt > 0 ? formatCount(each.attempt) : "–", stepsText(each),
            each.rows > 0 ? formatCount(each.rows) : "–", each.problem });
    return table.render(colours);
}

std::string wholeText(const fs::path& file, const LogCheck& log)
{
    std::string text = "The run log " + printable(file.string())
        + " is whole: " + formatCount(log.runs) + (log.runs == 1 ? " run, " : " runs, ");
    return text
        + (log.hasChecksums ? formatCount(log.rows) + " rows as they were written.\n"
                            : "as far as its format " + std::to_string(log.format)
                    + " can tell, which has no checksums. It gets them when something is next"
                      " written to it.\n");
}

std::string damageText(const fs::path& file, const Checked& checked, bool colours)
{
    if (!checked.problem.empty())
        return printable(checked.problem) + "\n";
    return "The run log " + printable(file.string()) + " is damaged:\n\n"
        + tableText(checked.log.damage, colours)
        + "\nKeep a copy of it and its -wal file. accrue export --damaged writes the rest.\n";
}

Json damageJson(const LogDamage& damage)
{
    const auto orNull = [](std::int64_t number) { return number > 0 ? Json(number) : Json(); };
    return { { "table", damage.table.empty() ? Json() : Json(damage.table) },
        { "run", damage.run ? Json(numberOf(*damage.run)) : Json() },
        { "attempt", orNull(damage.attempt) }, { "first_step", orNull(damage.firstStep) },
        { "last_step", orNull(damage.lastStep) }, { "rows", orNull(damage.rows) },
        { "problem", damage.problem } };
}

Json checkJson(const fs::path& file, const Checked& checked)
{
    Json damage = Json::array();
    for (const LogDamage& each : checked.log.damage)
        damage.push_back(damageJson(each));
    if (!checked.problem.empty())
        damage.push_back(damageJson({ .problem = checked.problem }));
    const bool opened = checked.problem.empty();
    return { { "run_log", file.string() }, { "whole", checked.isWhole() },
        { "format", opened ? Json(checked.log.format) : Json() },
        { "has_checksums", opened ? Json(checked.log.hasChecksums) : Json() },
        { "runs", checked.log.runs }, { "rows", checked.log.rows }, { "damage", damage } };
}

} // namespace

int checkLogCommand(const Arguments& arguments, Console& console)
{
    const fs::path file = runLogOf(arguments);
    std::error_code ignored;
    if (fs::status(file, ignored).type() == fs::file_type::not_found)
        throw WrongInput("There is no run log " + file.string()
            + " yet, so there is nothing to check; name another with --db.");
    const Checked checked = check(file, console);
    if (arguments.json)
        console.print(textOf(checkJson(file, checked)));
    else
        console.print(checked.isWhole() ? wholeText(file, checked.log)
                                        : damageText(file, checked, console.terminal().colours));
    return checked.isWhole() ? kExitDone : kExitFailed;
}

} // namespace accrue
