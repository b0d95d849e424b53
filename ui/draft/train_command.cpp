// SPDX-License-Identifier: Apache-2.0
#include "ui/draft/train_command.h"

#include "engine/base/toml_reader.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/recipe.h"
#include "ui/draft/setting_texts.h"

#include <string_view>

namespace accrue {

namespace {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

// As `--set` reads it: text such as 16 or [1, 2] would be read as a number or a list, and a path in
// quotes would lose them.
std::string argumentOf(const std::string& key, const std::string& text)
{
    const bool isRead = !findKey(key)->value.isPlainText || writtenFromSetting(text).bare == text;
    return isRead ? text : tomlQuoted(text);
}

// All four batch numbers are spelled, or none: the meaning of each depends on the others, which a
// recipe may have left open.
KeyValues differences(
    const Experiment& from, const Experiment& to, const std::optional<ResolvedExperiment>& resolved)
{
    Experiment sameNumbers = to;
    // Differs from `to` only if one of the four numbers does.
    copyBatchNumbers(from.batch, sameNumbers.batch);
    KeyValues changed;
    if (resolved && !(sameNumbers.batch == to.batch)) {
        SettingTexts numbers;
        setBatchTexts(to, resolved, numbers);
        for (const std::string& key : batchNumberKeys())
            changed.emplace_back(key, numbers[key].toStdString());
    }
    const Settings before = settingsOf(from);
    const Settings after = settingsOf(to);
    for (std::size_t i = 0; i < after.size(); ++i) {
        const auto& [key, value] = after[i];
        if (!(resolved && isBatchNumber(key)) && value != before[i].second)
            changed.emplace_back(key, argumentOf(key, settingText(value)));
    }
    return changed;
}

std::string quoted(const std::string& word)
{
    constexpr std::string_view kPlain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=+-";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos)
        return word;
    // POSIX: within single quotes nothing is special, and a quote itself ends them, is escaped,
    // and begins them again.
    std::string result = "'";
    for (const char character : word)
        result += character == '\'' ? std::string("'\\''") : std::string(1, character);
    return result + "'";
}

} // namespace

TrainCommand trainCommandOf(
    const Experiment& experiment, const std::optional<ResolvedExperiment>& resolved)
{
    std::optional<TrainCommand> nearest;
    // The nearest recipe makes the shortest command, which a person can read and compare. On a
    // tie the first one listed stays.
    for (const ShippedRecipe& recipe : shippedRecipes()) {
        KeyValues changed =
            differences(parseRecipe(recipe.toml, recipe.name).experiment, experiment, resolved);
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
