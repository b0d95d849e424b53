// SPDX-License-Identifier: Apache-2.0
#include "app/commands/damage_checks.h"

#include "app/engine_access.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/progress_lines.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/format.h"
#include "engine/events/json_list.h"
#include "engine/report/logged_training.h"
#include "engine/runlog/log_check.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

// ---- run log ----------------------------------------------------------------------------------

struct Checked {
    LogCheck log;
    Message problem; // why it cannot be opened, a sentence; empty: it can
    bool isWhole() const { return problem.empty() && log.damage.empty(); }
};

// A log that is too damaged to be opened is a finding of this check, not an error of the command.
Checked check(const fs::path& file, Console& console)
{
    LogProgressLine line(console);
    try {
        return { checkLog(file, line.progress()), {} };
    } catch (const RunLogError& error) {
        if (error.kind() != RunLogError::Kind::Damaged)
            throw;
        return { {}, error.message() };
    }
}

std::string stepsOf(const LogDamage& damage)
{
    if (damage.lastStep == 0)
        return "–";
    const std::string first = formatCount(damage.firstStep);
    return damage.firstStep == damage.lastStep ? first
                                               : first + " – " + formatCount(damage.lastStep);
}

std::string tableText(const std::vector<LogDamage>& damage, bool colours)
{
    TextTable table({ label("Table"), label("Run"), label("Attempt"), label("Steps"), label("Rows"),
                        label("Damage") },
        { 1, 2, 4 });
    for (const LogDamage& each : damage)
        table.addRow({ each.table.empty() ? label("the file") : each.table,
            each.run ? "#" + std::to_string(numberOf(*each.run)) : "–",
            each.attempt > 0 ? formatCount(each.attempt) : "–", stepsOf(each),
            each.rows > 0 ? formatCount(each.rows) : "–", each.problem });
    return table.render(colours);
}

std::string wholeText(const fs::path& file, const LogCheck& log)
{
    const Message runs = countOfRuns(static_cast<std::size_t>(log.runs));
    const Message text = log.hasChecksums
        ? Message("cli.log_is_whole",
            { { "file", file.string() }, { "runs", runs }, { "rows", log.rows } })
        : Message("cli.log_without_checksums",
            { { "file", file.string() }, { "runs", runs }, { "format", log.format } });
    return printable(text.text()) + "\n";
}

std::string damageText(const fs::path& file, const Checked& checked, bool colours)
{
    if (!checked.problem.empty())
        return printable(checked.problem.text()) + "\n";
    const Message damaged("cli.log_is_damaged", { { "file", file.string() } });
    const Message advice("cli.copy_damaged_log");
    return printable(damaged.text()) + "\n\n" + tableText(checked.log.damage, colours) + "\n"
        + advice.text() + "\n";
}

Json damageJson(const LogDamage& damage)
{
    // 0 means unknown (log_damage.h), which JSON states as null.
    const auto orNull = [](std::int64_t number) { return number > 0 ? Json(number) : Json(); };
    return { { "table", damage.table.empty() ? Json() : Json(damage.table) },
        { "run", damage.run ? Json(numberOf(*damage.run)) : Json() },
        { "attempt", orNull(damage.attempt) }, { "first_step", orNull(damage.firstStep) },
        { "last_step", orNull(damage.lastStep) }, { "rows", orNull(damage.rows) },
        { "problem", damage.problem.english() } };
}

Json checkJson(const fs::path& file, const Checked& checked)
{
    Json damage = jsonList(checked.log.damage, damageJson);
    if (!checked.problem.empty())
        damage.push_back(damageJson({ .problem = checked.problem }));
    const bool opened = checked.problem.empty();
    return { { "run_log", file.string() }, { "whole", checked.isWhole() },
        { "format", opened ? Json(checked.log.format) : Json() },
        { "has_checksums", opened ? Json(checked.log.hasChecksums) : Json() },
        { "runs", checked.log.runs }, { "rows", checked.log.rows }, { "damage", damage } };
}

// ---- checkpoints ------------------------------------------------------------------------------

struct Examined {
    RunRecord run;
    SavedCheckpoint saved;

    bool damaged() const { return !saved.problem.empty(); }
    bool uncovered() const { return !damaged() && !saved.coversItself; }
};

struct Place {
    RunRecord run;
    fs::path checkpoint;
};

std::vector<Place> placesIn(RunLogReader& log)
{
    std::vector<Place> places;
    // Archived runs, too: they can be restored.
    for (const RunRecord& run : log.runs(RunLogReader::Archived::Show)) {
        const fs::path folder = log.checkpointFolder(run.id);
        for (const std::string& name : checkpointNames(folder))
            places.push_back({ run, folder / name });
    }
    return places;
}

// Checked after the inspection: a run in progress deletes checkpoints that it does not retain.
bool isGone(const fs::path& checkpoint)
{
    std::error_code error;
    return fs::symlink_status(checkpoint, error).type() == fs::file_type::not_found;
}

SavedCheckpoint inspected(RunLogReader& log, Engine& engine, const Place& place)
{
    SavedCheckpoint saved = engine.inspect(place.checkpoint);
    if (!saved.problem.empty()) // a run in progress may just have replaced it
        saved = engine.inspect(place.checkpoint);
    // An undamaged checkpoint may still belong to another state of the log, such as a restored
    // backup.
    if (saved.problem.empty())
        saved.problem = checkOf(log, place.run)(saved);
    return saved;
}

std::vector<Examined> examined(RunLogReader& log, Engine& engine, Console& console)
{
    std::vector<Examined> all;
    const std::vector<Place> places = placesIn(log);
    for (const Place& place : places) {
        // Reading all checkpoints takes minutes; JSON and files get no line per checkpoint.
        if (console.terminal().err)
            console.showLive(Message("cli.checking_checkpoint",
                { { "number", all.size() + 1 }, { "count", places.size() },
                    { "folder", place.checkpoint.string() } })
                                 .text());
        SavedCheckpoint saved = inspected(log, engine, place);
        if (saved.problem.empty() || !isGone(place.checkpoint))
            all.push_back({ place.run, std::move(saved) });
    }
    console.clearLive();
    return all;
}

std::int64_t count(const std::vector<Examined>& all, bool (Examined::*what)() const)
{
    return std::count_if(
        all.begin(), all.end(), [&](const Examined& one) { return (one.*what)(); });
}

std::string summaryOf(const std::vector<Examined>& all)
{
    const std::int64_t uncovered = count(all, &Examined::uncovered);
    const Message checked("cli.checkpoints_checked",
        { { "count", all.size() }, { "damaged", count(all, &Examined::damaged) } });
    if (uncovered == 0)
        return checked.text() + "\n";
    return Message("cli.checkpoints_not_covered",
               { { "checked", checked }, { "uncovered", uncovered } })
               .text()
        + "\n";
}

std::string textOf(const std::vector<Examined>& all, bool colours)
{
    TextTable table({ label("Run"), label("Checkpoint"), label("File"), label("Problem") });
    for (const Examined& one : all)
        if (one.damaged() || one.uncovered())
            table.addRow(
                { labelOf(one.run), one.saved.folder.string(), one.saved.file.filename().string(),
                    { one.damaged() ? one.saved.problem.text() : label("format 2"),
                        one.damaged() ? TextStyle::Bad : TextStyle::Plain } });
    return (table.empty() ? "" : table.render(colours) + "\n") + summaryOf(all);
}

Json jsonOfCheckpoint(const Examined& one)
{
    return { { "run", numberOf(one.run.id) }, { "checkpoint", one.saved.folder.string() },
        { "format", one.saved.format }, { "whole", !one.damaged() },
        { "file", one.saved.file.filename().string() },
        { "problem", one.saved.problem.english() } };
}

Json jsonOf(const std::vector<Examined>& all)
{
    return { { "checkpoints", jsonList(all, jsonOfCheckpoint) },
        { "damaged", count(all, &Examined::damaged) },
        { "not_covered", count(all, &Examined::uncovered) } };
}

} // namespace

int checkLogCommand(const Arguments& arguments, Console& console)
{
    const fs::path file = runLogOf(arguments);
    std::error_code ignored;
    // A missing log has no damage, but a mistyped name must not be reported as an undamaged log.
    if (fs::status(file, ignored).type() == fs::file_type::not_found)
        throw InputError(Message("cli.no_log_to_check", { { "file", file.string() } }));
    const Checked checked = check(file, console);
    console.printResult(arguments.json, checkJson(file, checked),
        checked.isWhole() ? wholeText(file, checked.log)
                          : damageText(file, checked, console.terminal().colours));
    return checked.isWhole() ? kExitDone : kExitFailed;
}

int checkCheckpoints(const Arguments& arguments, Console& console)
{
    std::optional<RunLogReader> log = openExistingLog(arguments);
    if (!log)
        throw InputError(Message("cli.no_run_log", { { "file", runLogOf(arguments).string() } }));
    const std::vector<Examined> all = examined(*log, requireEngine(), console);
    console.printResult(arguments.json, jsonOf(all), textOf(all, console.terminal().colours));
    return count(all, &Examined::damaged) > 0 ? kExitFailed : kExitDone;
}

} // namespace accrue
