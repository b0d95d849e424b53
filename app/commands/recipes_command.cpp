// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/exit_code.h"
#include "app/run_tally.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/places.h"
#include "engine/base/shown_text.h"
#include "engine/events/json_list.h"
#include "engine/events/json_value.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/resolved.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

struct ListedRecipe {
    std::string name;
    Recipe recipe;
    std::string file; // empty: shipped with the program
};

// Shipped ones first, then the user's own. A recipe with the name of a shipped one gets a warning
// instead, because training by that name uses the shipped one.
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
            console.warn(
                Message("cli.recipe_hidden", { { "file", file.string() }, { "name", name } }));
        else
            listed.push_back({ name, readRecipe(file), file.string() });
    }
    return listed;
}

std::string batchText(const Recipe& recipe)
{
    // The values of an unreadable recipe are defaults, which would look like its own.
    if (!recipe.readable)
        return "–";
    // The engine, which could count them, is not loaded for a list.
    if (awaitsDevices(recipe.experiment))
        return label("by all devices");
    const auto resolved = resolve(recipe.experiment).resolved;
    return resolved ? planText(resolved->plan) : label("not solved");
}

std::string conditionOf(const ListedRecipe& listed)
{
    // One line per recipe: its first error is more urgent than its purpose.
    for (const Finding& finding : listed.recipe.findings)
        if (finding.severity == Finding::Severity::Error)
            return (finding.key.empty() ? "" : finding.key + ": ") + finding.message.text();
    return listed.file.empty() ? summaryText(listed.name, listed.recipe) : listed.recipe.summary;
}

Json jsonOfRecipe(const ListedRecipe& listed)
{
    Json errors = Json::array();
    for (const Finding& finding : listed.recipe.findings)
        if (finding.severity == Finding::Severity::Error)
            errors.push_back({ { "key", finding.key }, { "line", finding.line },
                { "message", finding.message.english() } });
    return { { "name", listed.name }, { "summary", listed.recipe.summary },
        { "file", listed.file.empty() ? Json() : Json(listed.file) },
        { "settings", settingsJson(listed.recipe.experiment) }, { "errors", errors } };
}

int listRecipes(const Arguments& arguments, Console& console)
{
    const std::vector<ListedRecipe> listed = listedRecipes(console);
    if (arguments.json) {
        console.printJson(jsonList(listed, jsonOfRecipe));
        return kExitDone;
    }
    TextTable table({ label("Recipe"), label("Batch"), label("Purpose") });
    for (const ListedRecipe& recipe : listed)
        table.addRow({ recipe.name, batchText(recipe.recipe), conditionOf(recipe) });
    const Message own("cli.own_recipes", { { "folder", userRecipeDirectory().string() } });
    console.print(table.render(console.terminal().colours) + "\n" + printable(own.text()) + "\n");
    return kExitDone;
}

int showRecipe(const std::string& name, const Arguments& arguments, Console& console)
{
    const RecipeText recipe = findRecipeText(name);
    if (!recipe.problem.empty())
        throw InputError(recipe.problem);
    // The text unchanged, with its comments, so that the output can be saved as a recipe.
    console.printResult(arguments.json,
        { { "name", name }, { "file", recipe.file.empty() ? Json() : Json(recipe.file.string()) },
            { "toml", recipe.toml } },
        recipe.toml);
    return kExitDone;
}

} // namespace

int recipesCommand(const Arguments& arguments, Console& console)
{
    const std::vector<std::string>& words = arguments.operands;
    if (words.empty() || (words.size() == 1 && words.front() == "list"))
        return listRecipes(arguments, console);
    if (words.front() != "show")
        throw InputError(
            Message("cli.wrong_recipes_action", { { "word", shortened(words.front()) } }));
    if (words.size() != 2)
        throw InputError(Message("cli.recipe_to_show_needed"));
    return showRecipe(words.back(), arguments, console);
}

} // namespace accrue
