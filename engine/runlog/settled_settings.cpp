// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/settled_settings.h"

namespace accrue {

namespace {

// What a number that the recipe may leave open came to be.
std::optional<std::int64_t> settledNumber(const RunRecord& run, std::string_view key)
{
    const BatchPlan plan = planInForce(run);
    if (key == "batch.effective")
        return plan.effective;
    if (key == "batch.micro")
        return plan.micro;
    if (key == "batch.steps")
        return plan.steps;
    if (key == "batch.devices")
        return plan.devices;
    if (key == "run.threads" && run.threads > 0)
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
