// SPDX-License-Identifier: Apache-2.0
#include "app/checkpoint_doctor.h"

#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/runs_json.h"
#include "app/saved_checkpoint.h"
#include "app/text_table.h"
#include "app/training.h"
#include "app/wrong_input.h"
#include "engine/experiment/format.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

namespace accrue {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

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
    for (const RunRecord& run : log.runs(RunLogReader::Archived::Show)) {
        const fs::path folder = log.checkpointFolder(run.id);
        for (const std::string& name : checkpointNames(folder))
            places.push_back({ run, folder / name });
    }
    return places;
}

// Also while it is looked at: a run that is trained removes those that it does not keep.
bool isGone(const fs::path& checkpoint)
{
    std::error_code error;
    return fs::symlink_status(checkpoint, error).type() == fs::file_type::not_found;
}

SavedCheckpoint inspected(RunLogReader& log, Engine& engine, const Place& place)
{
    SavedCheckpoint saved = engine.inspect(place.checkpoint);
    if (!saved.problem.empty()) // a run that is trained meanwhile may just have replaced it
        saved = engine.inspect(place.checkpoint);
    if (saved.problem.empty())
        saved.problem = checkOf(log, place.run)(saved);
    return saved;
}

std::vector<Examined> examined(RunLogReader& log, Engine& engine, Console& console)
{
    std::vector<Examined> all;
    const std::vector<Place> places = placesIn(log);
    for (const Place& place : places) {
        if (console.terminal().err)
            console.showLive("checking " + formatCount(static_cast<std::int64_t>(all.size()) + 1)
                + " of " + formatCount(static_cast<std::int64_t>(places.size())) + "  "
                + place.checkpoint.string());
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
    const auto checked = static_cast<std::int64_t>(all.size());
    return formatCount(checked) + (checked == 1 ? " checkpoint" : " checkpoints") + " checked, "
        + formatCount(count(all, &Examined::damaged)) + " damaged"
        + (uncovered > 0 ? ", " + formatCount(uncovered)
                    + " of format 2, whose checkpoint.toml does not cover itself and cannot be "
                      "checked whole"
                         : "")
        + ".\n";
}

std::string textOf(const std::vector<Examined>& all, bool colours)
{
    TextTable table({ "Run", "Checkpoint", "File", "What is wrong" });
    for (const Examined& one : all)
        if (one.damaged() || one.uncovered())
            table.addCells({ { labelOf(one.run) }, { one.saved.folder.string() },
                { one.saved.file.filename().string() },
                { one.damaged() ? one.saved.problem : "format 2",
                    one.damaged() ? TextStyle::Bad : TextStyle::Plain } });
    return (table.empty() ? "" : table.render(colours) + "\n") + summaryOf(all);
}

Json jsonOf(const std::vector<Examined>& all)
{
    Json checkpoints = Json::array();
    for (const Examined& one : all)
        checkpoints.push_back(
            { { "run", numberOf(one.run.id) }, { "checkpoint", one.saved.folder.string() },
                { "format", one.saved.format }, { "whole", !one.damaged() },
                { "file", one.saved.file.filename().string() }, { "problem", one.saved.problem } });
    return { { "checkpoints", checkpoints }, { "damaged", count(all, &Examined::damaged) },
        { "not_covered", count(all, &Examined::uncovered) } };
}

} // namespace

int checkCheckpoints(const Arguments& arguments, Console& console)
{
    std::optional<RunLogReader> log = openExistingLog(arguments);
    if (!log)
        throw WrongInput(
            "There is no run log " + runLogOf(arguments).string() + "; name another with --db.");
    const std::vector<Examined> all = examined(*log, requireEngine(), console);
    console.print(
        arguments.json ? accrue::textOf(jsonOf(all)) : textOf(all, console.terminal().colours));
    return count(all, &Examined::damaged) > 0 ? kExitFailed : kExitDone;
}

} // namespace accrue
