// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/engine_access.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/requested_recipe.h"
#include "app/run_tally.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/places.h"
#include "engine/base/sentences.h"
#include "engine/door/checkpoints.h"
#include "engine/events/event_json.h"
#include "engine/events/json_list.h"
#include "engine/experiment/resumed_settings.h"
#include "engine/report/logged_training.h"

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

// A folder that is a checkpoint or contains some, or an operand written as a path; anything else is
// a run.
bool isFolder(const std::string& operand)
{
    std::error_code ignored;
    return operand.find('/') != std::string::npos
        || fs::exists(fs::path(operand) / "checkpoint.toml", ignored)
        || !checkpointsIn(operand).empty();
}

// The folder that contains a run's checkpoints.
fs::path folderOf(ChosenRuns& chosen, const RunRecord& run)
{
    fs::path folder = chosen.log.checkpointFolder(run.id);
    if (checkpointsIn(folder).empty())
        throw InputError(Message(
            "cli.no_saved_model", { { "run", labelOf(run) }, { "folder", folder.string() } }));
    return folder;
}

// The one that --from names, otherwise the newest; the folder itself if it is a checkpoint.
fs::path checkpointIn(const fs::path& folder, const std::optional<std::string>& from)
{
    if (from) {
        requireName(*from, checkpointNames(folder));
        return folder / *from;
    }
    const std::vector<fs::path> saved = checkpointsIn(folder);
    return saved.empty() ? folder : saved.front();
}

// A run's checkpoint is also compared with the run log. A missing run is reported before the engine
// is loaded, which takes longer.
SavedCheckpoint savedModel(const Arguments& arguments)
{
    const std::string& operand = arguments.operands.front();
    if (isFolder(operand)) {
        const fs::path checkpoint = checkpointIn(operand, arguments.from);
        return wholeCheckpoint(requireEngine(), checkpoint);
    }
    ChosenRuns chosen = chooseRuns(arguments, arguments.operands);
    const RunRecord run = chosen.log.run(chosen.ids.front());
    const fs::path checkpoint = checkpointIn(folderOf(chosen, run), arguments.from);
    return wholeCheckpoint(requireEngine(), checkpoint, checkOf(chosen.log, run));
}

// With the settings that the arguments change. Throws CommandEnd if they would make another model,
// which is printed.
RequestedRecipe askedToEvaluate(
    const SavedCheckpoint& saved, const Arguments& arguments, Console& console)
{
    Recipe recipe;
    recipe.experiment = saved.experiment;
    RequestedRecipe asked = askedRecipe(saved.folder.string(), recipe, arguments, console);
    // As if a window were open: nothing may change that belongs to the model or to its split.
    const Findings findings = checkResumedSettings(
        requireResolved(saved.experiment), asked.resolved, /*windowIsOpen=*/true);
    requireNoErrors(findings, asked, console);
    return asked;
}

CheckpointFigures figuresOf(Engine& engine, const EvaluationRequest& request)
{
    CheckpointFigures figures = engine.evaluate(request);
    if (figures.machine)
        throw Error(figures.problem);
    if (!figures.problem.empty())
        throw InputError(figures.problem);
    return figures;
}

std::string figuresText(const fs::path& checkpoint, const CheckpointFigures& figures, bool colours)
{
    const Evaluated& at = figures.evaluated;
    TextTable table;
    table.addRow({ label("Model"), checkpoint.string() });
    table.addRow({ label("Updates"),
        Message("cli.updates_and_epoch", { { "step", at.step }, { "epoch", at.epoch } }) });
    addEvaluation(table, at);
    table.addRow({ label("Data"), figures.dataDescription });
    table.addRow({ label("Device"),
        clausesOf({ Message::plain(figures.device), countOfThreads(figures.threads) }) });
    return table.render(colours);
}

Json figuresJson(const fs::path& checkpoint, const CheckpointFigures& figures)
{
    const Evaluated& at = figures.evaluated;
    Json json { { "checkpoint", checkpoint.string() }, { "step", at.step }, { "epoch", at.epoch },
        { "samples", at.samples } };
    addMetrics(json, at);
    json["data"] = figures.dataDescription.english();
    json["device"] = figures.device;
    json["threads"] = figures.threads;
    json["warnings"] = jsonList(figures.warnings, &Message::english);
    return json;
}

} // namespace

int evaluateCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 1 || arguments.operands.front().empty())
        throw InputError(Message("cli.run_or_checkpoint_needed"));
    const SavedCheckpoint saved = savedModel(arguments);
    Engine& engine = requireEngine();
    const fs::path& checkpoint = saved.folder;
    const RequestedRecipe asked = askedToEvaluate(saved, arguments, console);
    const Experiment& experiment = asked.experiment();
    const std::vector<fs::path> directories = dataDirectories(arguments.data);
    // Both throw before the evaluation begins, with the place where the user set the key.
    requireData(experiment, directories);
    chooseDeviceId(engine, experiment.run.device, placeOfDevice(asked));
    const CheckpointFigures figures = figuresOf(engine, { checkpoint, experiment, directories });
    for (const Message& warning : figures.warnings)
        console.warn(warning);
    console.printResult(arguments.json, figuresJson(checkpoint, figures),
        figuresText(checkpoint, figures, console.terminal().colours));
    return kExitDone;
}

} // namespace accrue
