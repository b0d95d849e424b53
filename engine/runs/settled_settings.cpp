// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/settled_settings.h"

#include "engine/experiment/key_names.h"

namespace accrue {

namespace {

// What a number that the recipe may leave open came to be.
std::optional<std::int64_t> settledNumber(const RunRecord& run, std::string_view key)
{
    // The b in force, not the b asked for, where memory was short.
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

} // namespace

std::optional<SettingValue> settledSetting(const RunRecord& run, std::string_view key)
{
    if (const auto settled = settledNumber(run, key))
        return *settled;
    return settingOf(run.experiment, key);
}

Settings settledSettings(const RunRecord& run)
{
    Settings settings = settingsOf(run.experiment);
    for (auto& [key, value] : settings)
        if (const auto settled = settledNumber(run, key))
            value = *settled;
    return settings;
}

} // namespace accrue
