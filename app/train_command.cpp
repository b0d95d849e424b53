// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"
#include "app/exit_code.h"
#include "app/training.h"
#include "app/wrong_input.h"

namespace accrue {

namespace {

std::string recipeNames()
{
    std::string names;
    for (const ShippedRecipe& recipe : shippedRecipes())
        names += (names.empty() ? "" : ", ") + recipe.name;
    return names;
}

} // namespace

int trainCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 1 || arguments.operands.front().empty())
        throw WrongInput("train takes one recipe: " + recipeNames()
            + ", or the name or file of your own. See accrue recipes.");
    const std::string& source = arguments.operands.front();
    const auto asked = askedRecipe(source, findRecipe(source), arguments, console);
    return asked ? trainAsked(*asked, arguments, console).code : kExitWrongInput;
}

} // namespace accrue
