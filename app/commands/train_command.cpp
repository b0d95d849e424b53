// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/exit_code.h"
#include "app/training.h"
#include "engine/base/error.h"
#include "engine/base/sentences.h"

#include <string>
#include <vector>

namespace accrue {

namespace {

Message recipeNames()
{
    std::vector<std::string> names;
    for (const ShippedRecipe& recipe : shippedRecipes())
        names.push_back(recipe.name);
    return commaList(names);
}

} // namespace

int trainCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 1 || arguments.operands.front().empty())
        // A first-time user sees what can be trained.
        throw InputError(Message("cli.recipe_to_train_needed", { { "names", recipeNames() } }));
    const std::string& source = arguments.operands.front();
    const auto asked = askedRecipe(source, findRecipe(source), arguments, console);
    return asked ? trainAsked(*asked, arguments, console).code : kExitWrongInput;
}

} // namespace accrue
