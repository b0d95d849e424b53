// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/settled_settings.h"

#include "engine/experiment/key_names.h"

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
