// SPDX-License-Identifier: Apache-2.0
#include "app/asked_recipe.h"
#include "app/commands.h"
#include "app/device_choice.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/runs_json.h"
#include "app/saved_checkpoint.h"
#include "app/text_table.h"
#include "app/training.h"
#include "app/wrong_input.h"
#include "engine/door/checkpoints.h"
#include "engine/experiment/format.h"
#include "engine/experiment/places.h"
#include "engine/experiment/resumed_settings.h"

#include <optional>
#include <stdexcept>
#include <string>

namespace accrue {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

// A folder that is a checkpoint or holds some, or is written as a path; anything else is a run.
bool isFolder(const std::string& operand)
{
    std::error_code ignored;
    return operand.find('/') != std::string::npos
        || fs::exists(fs::path(operand) / "checkpoint.toml", ignored)
        || !checkpointsIn(operand).empty();
}

// The folder that a run's checkpoints lie in.
fs::path folderOf(ChosenRuns& chosen, const RunRecord& run)
{
    fs::path folder = chosen.log.checkpointFolder(run.id);
    if (checkpointsIn(folder).empty())
        throw WrongInput("Run " + labelOf(run) + " has no saved model: there is no checkpoint in "
            + folder.string() + ".");
    return folder;
}

// The one that --from names, otherwise the newest; the folder itself where it is one.
fs::path checkpointIn(const fs::path& folder, const std::optional<std::string>& from)
{
    if (from) {
        requireName(*from, checkpointNames(folder));
        return folder / *from;
    }
    const std::vector<fs::path> saved = checkpointsIn(folder);
    return saved.empty() ? folder : saved.front();
}

// Of a run it is held against the run log, too. A run that is not there is said before the engine
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

// With what the arguments change of the recipe; empty where that is another model, which is said.
std::optional<AskedRecipe> askedToEvaluate(
    const SavedCheckpoint& saved, const Arguments& arguments, Console& console)
{
    Recipe recipe;
    recipe.experiment = saved.experiment;
    auto asked = askedRecipe(saved.folder.string(), recipe, arguments, console);
    if (!asked)
        return std::nullopt;
    const Findings findings =
        checkResumedSettings(saved.experiment, asked->recipe.experiment, /*windowIsOpen=*/true);
    return sayPlaced(findings, *asked, console) ? asked : std::nullopt;
}

CheckpointFigures figuresOf(Engine& engine, const EvaluationRequest& request)
{
    CheckpointFigures figures = engine.evaluate(request);
    if (figures.machine)
        throw std::runtime_error(figures.problem);
    if (!figures.problem.empty())
        throw WrongInput(figures.problem);
    return figures;
}

std::string figuresText(const fs::path& checkpoint, const CheckpointFigures& figures, bool colours)
{
    const Evaluated& at = figures.evaluated;
    TextTable table;
    table.addRow({ "Model", checkpoint.string() });
    table.addRow({ "Updates", formatCount(at.step) + ", epoch " + formatCount(at.epoch) });
    if (at.validationAccuracy)
        table.addRow({ "Validation accuracy", formatPercent(*at.validationAccuracy) });
    if (at.validationLoss)
        table.addRow({ "Validation loss", formatNumber(*at.validationLoss) });
    table.addRow({ "Test accuracy", formatPercent(at.testAccuracy) });
    table.addRow({ "Test loss", formatNumber(at.testLoss) });
    table.addRow({ "Data", figures.dataDescription });
    table.addRow({ "Device",
        figures.device + ", " + std::to_string(figures.threads)
            + (figures.threads == 1 ? " thread" : " threads") });
    return table.render(colours);
}

Json figuresJson(const fs::path& checkpoint, const CheckpointFigures& figures)
{
    const Evaluated& at = figures.evaluated;
    Json json { { "checkpoint", checkpoint.string() }, { "step", at.step }, { "epoch", at.epoch },
        { "samples", at.samples }, { "test_loss", jsonOf(at.testLoss) },
        { "test_accuracy", jsonOf(at.testAccuracy) } };
    if (at.validationLoss)
        json["validation_loss"] = jsonOf(*at.validationLoss);
    if (at.validationAccuracy)
        json["validation_accuracy"] = jsonOf(*at.validationAccuracy);
    json["data"] = figures.dataDescription;
    json["device"] = figures.device;
    json["threads"] = figures.threads;
    json["warnings"] = figures.warnings;
    return json;
}

} // namespace

int evaluateCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 1 || arguments.operands.front().empty())
        throw WrongInput("evaluate takes one run or checkpoint: accrue evaluate 12; accrue list "
                         "shows the runs.");
    const SavedCheckpoint saved = savedModel(arguments);
    Engine& engine = requireEngine();
    const fs::path& checkpoint = saved.folder;
    const auto asked = askedToEvaluate(saved, arguments, console);
    if (!asked)
        return kExitWrongInput;
    const Experiment& experiment = asked->recipe.experiment;
    const std::vector<fs::path> directories = dataDirectories(arguments.data);
    requireData(experiment, directories);
    chooseDevice(engine, experiment.run.device, placeOfDevice(*asked));
    const CheckpointFigures figures = figuresOf(engine, { checkpoint, experiment, directories });
    for (const std::string& warning : figures.warnings)
        console.warn(warning);
    console.print(arguments.json ? textOf(figuresJson(checkpoint, figures))
                                 : figuresText(checkpoint, figures, console.terminal().colours));
    return kExitDone;
}

} // namespace accrue
