// SPDX-License-Identifier: Apache-2.0
#include "ui/run/train_command.h"

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/recipe.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace accrue {

namespace {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

bool isBatchNumber(const std::string& key)
{
    return key == "batch.effective" || key == "batch.micro" || key == "batch.steps"
        || key == "batch.devices";
}

bool sameNumbers(const BatchSettings& one, const BatchSettings& other)
{
    return one.effective == other.effective && one.micro == other.micro && one.steps == other.steps
        && one.devices == other.devices;
}

// All four, the solved ones as auto: they mean the same whatever the recipe says.
KeyValues numbersOf(const Experiment& experiment, const BatchPlan& plan)
{
    const bool follows = microFollowsBudget(experiment);
    const auto text = [&](BatchPlan::Solved which, std::int64_t value) {
        const bool isSolved = follows
            ? which == BatchPlan::Solved::Micro || which == BatchPlan::Solved::Steps
            : which == plan.solved;
        return isSolved ? std::string("auto") : std::to_string(value);
    };
    return { { "batch.effective", text(BatchPlan::Solved::Effective, plan.effective) },
        { "batch.micro", text(BatchPlan::Solved::Micro, plan.micro) },
        { "batch.steps", text(BatchPlan::Solved::Steps, plan.steps) },
        { "batch.devices", text(BatchPlan::Solved::Devices, plan.devices) } };
}

KeyValues differences(const Experiment& from, const Experiment& to)
{
    const Settings before = settingsOf(from);
    const Settings after = settingsOf(to);
    const std::optional<BatchPlan> plan = solveBatch(to).plan;
    KeyValues changed;
    if (!sameNumbers(from.batch, to.batch) && plan)
        changed = numbersOf(to, *plan);
    for (std::size_t i = 0; i < after.size(); ++i) {
        const bool solved = isBatchNumber(after[i].first) && plan;
        if (!solved && after[i].second != before[i].second)
            changed.emplace_back(after[i].first, settingText(after[i].second));
    }
    return changed;
}

std::string quoted(const std::string& word)
{
    constexpr std::string_view kPlain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=+-";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos)
        return word;
    std::string result = "'";
    for (const char character : word)
        result += character == '\'' ? std::string("'\\''") : std::string(1, character);
    return result + "'";
}

} // namespace

TrainCommand trainCommandOf(const Experiment& experiment)
{
    std::optional<TrainCommand> nearest;
    for (const ShippedRecipe& recipe : shippedRecipes()) {
        KeyValues changed =
            differences(parseRecipe(recipe.toml, recipe.name).experiment, experiment);
        if (!nearest || changed.size() < nearest->settings.size())
            nearest = TrainCommand { recipe.name, std::move(changed) };
    }
    return nearest.value_or(TrainCommand {});
}

std::string shellText(const TrainCommand& command)
{
    std::string text = "accrue train " + quoted(command.recipe);
    for (const auto& setting : command.settings)
        text += " --set " + quoted(setting.first + "=" + setting.second);
    return text;
}

} // namespace accrue
