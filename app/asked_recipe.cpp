// SPDX-License-Identifier: Apache-2.0
#include "app/asked_recipe.h"

#include "app/findings.h"
#include "app/wrong_input.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/epoch_plan.h"
#include "engine/experiment/held_out.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/shown_text.h"
#include "engine/experiment/validation.h"

#include <algorithm>
#include <utility>

namespace accrue {

namespace fs = std::filesystem;

namespace {

bool sameSentence(const Finding& a, const Finding& b)
{
    return a.key == b.key && a.message == b.message && a.severity == b.severity;
}

// What the file itself got wrong (unknown keys, wrong types); what `validate` said of it is asked
// anew once --set has changed it.
Findings findingsOfTheFile(const Recipe& recipe)
{
    const Findings judged = validate(recipe.experiment);
    Findings kept;
    for (const Finding& finding : recipe.findings) {
        const bool isJudgement = std::any_of(judged.begin(), judged.end(),
            [&](const Finding& other) { return sameSentence(finding, other); });
        if (!isJudgement)
            kept.push_back(finding);
    }
    return kept;
}

// An argument that sets a key.
struct Assignment {
    std::string option; // "--set", "--device", "--name"
    std::string key;
    std::string text; // behind the option: of --set "batch.micro=16", of the others a value

    std::string typed() const { return option + " " + text; }
};

std::vector<Assignment> assignments(const Arguments& arguments)
{
    std::vector<Assignment> all;
    for (const std::string& setting : arguments.settings)
        all.push_back({ "--set", setting.substr(0, setting.find('=')), setting });
    const auto add = [&all](const char* option, const char* key,
                         const std::optional<std::string>& given) {
        if (given)
            all.push_back({ option, key, *given });
    };
    add("--device", "run.device", arguments.device);
    add("--budget", "memory.budget", arguments.budget);
    add("--trace", "trace.parameters", arguments.trace);
    add("--name", "name", arguments.name);
    return all;
}

// Throws WrongInput where one key is set by two of them: which one is meant cannot be known.
void requireEachOnce(const std::vector<Assignment>& all)
{
    std::map<std::string_view, const Assignment*> given;
    for (const Assignment& assignment : all) {
        const auto [before, isNew] = given.emplace(assignment.key, &assignment);
        if (!isNew)
            throw WrongInput(shortened(assignment.key) + " is set twice, by "
                + shortened(before->second->typed()) + " and by " + shortened(assignment.typed())
                + "; set it once.");
    }
}

Findings apply(Experiment& experiment, const Assignment& assignment)
{
    if (assignment.option == "--set")
        return applySetting(experiment, assignment.text);
    const bool isFirst = assignment.option == "--trace" && assignment.text == "parameters";
    return applyBareSetting(experiment, assignment.key, isFirst ? "first" : assignment.text);
}

using Placed = std::map<std::string, Findings>; // by the recipe or option that they concern

// Each where its key was given: at an argument, or at a line of the recipe.
void place(const Findings& findings, const AskedRecipe& asked, Placed& placed)
{
    for (Finding finding : findings) {
        const auto option = asked.options.find(finding.key);
        const auto line = asked.recipe.lines.find(finding.key);
        finding.line = line == asked.recipe.lines.end() ? 0 : line->second;
        placed[option == asked.options.end() ? asked.source : option->second].push_back(finding);
    }
}

// False: one of them is an error.
bool sayAll(const Placed& placed, Console& console)
{
    bool fine = true;
    for (const auto& [source, findings] : placed) {
        sayFindings(console, findings, source);
        fine = fine && !hasErrors(findings);
    }
    return fine;
}

// The value of data.name, by the key table, so that its spelling lives in one place.
std::string dataNameOf(const Experiment& experiment)
{
    for (const auto& [key, value] : settingsOf(experiment))
        if (key == "data.name")
            return settingText(value);
    return {};
}

} // namespace

std::optional<AskedRecipe> askedRecipe(
    const std::string& source, Recipe recipe, const Arguments& arguments, Console& console)
{
    AskedRecipe asked { source, std::move(recipe), {} };
    Placed placed { { asked.source, findingsOfTheFile(asked.recipe) } };
    const std::vector<Assignment> given = assignments(arguments);
    requireEachOnce(given);
    for (const Assignment& assignment : given) {
        asked.recipe.lines.erase(assignment.key);
        asked.options[assignment.key] = assignment.option;
        for (Finding& finding : apply(asked.recipe.experiment, assignment))
            placed[assignment.option].push_back(std::move(finding));
    }
    if (asked.recipe.readable)
        place(validateForRun(asked.recipe.experiment), asked, placed);
    if (!sayAll(placed, console))
        return std::nullopt;
    return asked;
}

bool sayPlaced(const Findings& findings, const AskedRecipe& asked, Console& console)
{
    Placed placed;
    place(findings, asked, placed);
    return sayAll(placed, console);
}

std::string placeOfDevice(const AskedRecipe& asked)
{
    const std::string key = "run.device";
    if (const auto option = asked.options.find(key); option != asked.options.end())
        return option->second == "--set" ? "--set " + key : option->second;
    const auto line = asked.recipe.lines.find(key);
    return line == asked.recipe.lines.end()
        ? key
        : asked.source + ":" + std::to_string(line->second) + ": " + key;
}

DataSetStatus requireData(const Experiment& experiment, const std::vector<fs::path>& directories)
{
    DataSetStatus status =
        findDataSet(dataNameOf(experiment), experiment.data.path, directories, experiment.data);
    if (!status.problem.empty())
        throw WrongInput(status.problem);
    return status;
}

bool fitsTheData(const AskedRecipe& asked, const DataSetStatus& data, Console& console)
{
    const Experiment& experiment = asked.recipe.experiment;
    const BatchSolution solution = solveBatch(experiment);
    if (!solution.plan)
        return true; // `validate` has refused it
    const DataParts parts = partsOf(data);
    Findings findings = checkHeldOut(experiment, parts);
    if (!hasErrors(findings))
        findings = checkEpoch(experiment, *solution.plan, trainedSamples(experiment.data, parts));
    return !hasErrors(findings) || sayPlaced(findings, asked, console);
}

} // namespace accrue
