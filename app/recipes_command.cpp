// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"
#include "app/exit_code.h"
#include "app/run_tally.h"
#include "app/runs_json.h"
#include "app/text_table.h"
#include "app/wrong_input.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/places.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/shown_text.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace accrue {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

struct ListedRecipe {
    std::string name;
    Recipe recipe;
    std::string file; // empty: shipped with the program
};

// Shipped ones first, then the user's own. One whose name is taken is said instead, because
// training by that name takes the shipped one.
std::vector<ListedRecipe> listedRecipes(Console& console)
{
    std::vector<ListedRecipe> listed;
    for (const ShippedRecipe& shipped : shippedRecipes())
        listed.push_back({ shipped.name, parseRecipe(shipped.toml, shipped.name), "" });
    for (const fs::path& file : ownRecipeFiles()) {
        const std::string name = file.stem().string();
        const bool taken = std::any_of(listed.begin(), listed.end(),
            [&](const ListedRecipe& other) { return other.name == name; });
        if (taken)
            console.warn(file.string() + " is not listed: " + name
                + " is a shipped recipe. Give the file another name, or train it by its path.");
        else
            listed.push_back({ name, readRecipe(file), file.string() });
    }
    return listed;
}

std::string batchText(const Recipe& recipe)
{
    if (!recipe.readable)
        return "–";
    const BatchSolution solution = solveBatch(recipe.experiment);
    return solution.plan ? planText(*solution.plan) : "not solved";
}

std::string conditionOf(const Recipe& recipe)
{
    for (const Finding& finding : recipe.findings)
        if (finding.severity == Finding::Severity::Error)
            return finding.key.empty() ? finding.message : finding.key + ": " + finding.message;
    return recipe.summary;
}

Json jsonOfRecipe(const ListedRecipe& listed)
{
    Json errors = Json::array();
    for (const Finding& finding : listed.recipe.findings)
        if (finding.severity == Finding::Severity::Error)
            errors.push_back({ { "key", finding.key }, { "line", finding.line },
                { "message", finding.message } });
    return { { "name", listed.name }, { "summary", listed.recipe.summary },
        { "file", listed.file.empty() ? Json() : Json(listed.file) },
        { "settings", settingsJson(listed.recipe.experiment) }, { "errors", errors } };
}

int listRecipes(const Arguments& arguments, Console& console)
{
    const std::vector<ListedRecipe> listed = listedRecipes(console);
    if (arguments.json) {
        Json json = Json::array();
        for (const ListedRecipe& recipe : listed)
            json.push_back(jsonOfRecipe(recipe));
        console.print(textOf(json));
        return kExitDone;
    }
    TextTable table({ "Recipe", "Batch", "What it is for" });
    for (const ListedRecipe& recipe : listed)
        table.addRow({ recipe.name, batchText(recipe.recipe), conditionOf(recipe.recipe) });
    console.print(table.render(console.terminal().colours) + "\nYour own recipes are TOML files in "
        + printable(userRecipeDirectory().string()) + ", or anywhere by path.\n");
    return kExitDone;
}

int showRecipe(const std::string& name, const Arguments& arguments, Console& console)
{
    const RecipeText recipe = findRecipeText(name);
    if (!recipe.problem.empty())
        throw WrongInput(recipe.problem);
    console.print(arguments.json ? textOf({ { "name", name },
                      { "file", recipe.file.empty() ? Json() : Json(recipe.file.string()) },
                      { "toml", recipe.toml } })
                                 : recipe.toml);
    return kExitDone;
}

} // namespace

int recipesCommand(const Arguments& arguments, Console& console)
{
    const std::vector<std::string>& words = arguments.operands;
    if (words.empty() || (words.size() == 1 && words.front() == "list"))
        return listRecipes(arguments, console);
    if (words.front() != "show")
        throw WrongInput("recipes takes list, or show and the name of a recipe, but "
            + shortened(words.front()) + " is neither. See accrue recipes --help.");
    if (words.size() != 2)
        throw WrongInput("recipes show takes one name: accrue recipes show first-run.");
    return showRecipe(words.back(), arguments, console);
}

} // namespace accrue
