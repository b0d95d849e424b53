// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/settled_settings.h"

#include "engine/experiment/key_names.h"
#include "engine/experiment/validation.h"

#include <algorithm>
#include <set>

namespace accrue {

namespace {

// The number that was used for a key that the recipe may leave open.
std::optional<std::int64_t> settledNumber(const RunRecord& run, std::string_view key)
{
    // The b in force, which is below the requested b after an out-of-memory error.
    const BatchPlan plan = planInForce(run);
    if (key == key::batchEffective)
        return plan.effective;
    if (key == key::batchMicro)
        return plan.micro;
    if (key == key::batchSteps)
        return plan.steps;
    if (key == key::batchDevices)
        return plan.devices;
    if (key == key::runThreads && run.threads > 0)
        return run.threads;
    return std::nullopt;
}

std::optional<SettingValue> loggedSetting(const RunRecord& run, std::string_view key)
{
    const auto found = std::ranges::find(run.settings, key, &Settings::value_type::first);
    return found != run.settings.end() ? std::optional(found->second) : std::nullopt;
}

} // namespace

std::optional<SettingValue> settledSetting(const RunRecord& run, std::string_view key)
{
    if (!hasRecipe(run)) {
        const KeyInfo* const known = findKey(key);
        const auto logged = loggedSetting(run, key);
        return logged || known == nullptr || known->filter.empty()
            ? logged
            : loggedSetting(run, known->filter);
    }
    if (const auto settled = settledNumber(run, key))
        return *settled;
    return settingOf(run.experiment, key);
}

Settings settledSettings(const RunRecord& run)
{
    if (!hasRecipe(run))
        return run.settings;
    Settings settings = settingsOf(run.experiment);
    for (auto& [key, value] : settings)
        if (const auto settled = settledNumber(run, key))
            value = *settled;
    return settings;
}

Settings requestedSettings(const RunRecord& run)
{
    return hasRecipe(run) ? settingsOf(run.experiment) : run.settings;
}

std::vector<std::string> unreadKeys(const RunRecord& run)
{
    return hasRecipe(run) ? unreadKeys(run.experiment) : std::vector<std::string> {};
}

std::vector<std::string> keysOfOthers(const std::vector<RunRecord>& runs)
{
    std::set<std::string> keys;
    for (const RunRecord& run : runs)
        for (const auto& [key, value] : run.settings)
            keys.insert(key);
    for (const KeyInfo& known : experimentKeys()) {
        keys.erase(known.key);
        keys.erase(known.filter); // settledSetting finds it under the key
    }
    return { keys.begin(), keys.end() };
}

bool isDefault(const RunRecord& run, std::string_view key)
{
    static const Experiment kDefaults;
    return hasRecipe(run) && settingOf(run.experiment, key) == settingOf(kDefaults, key);
}

} // namespace accrue
