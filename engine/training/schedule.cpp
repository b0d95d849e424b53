// SPDX-License-Identifier: Apache-2.0
#include "engine/training/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace accrue {

double Schedule::rateOf(std::int64_t step) const
{
    if (step <= warmupSteps)
        return baseRate * static_cast<double>(step) / static_cast<double>(warmupSteps);
    if (name == ScheduleName::Constant)
        return baseRate;
    const auto length = static_cast<double>(std::max<std::int64_t>(1, totalSteps - warmupSteps));
    const double done = static_cast<double>(step - 1 - warmupSteps) / length;
    const double wave = (1 + std::cos(std::numbers::pi * done)) / 2;
    return baseRate * (finalFactor + (1 - finalFactor) * wave);
}

double rateFactor(LrRule rule, std::int64_t steps, std::int64_t firstSteps)
{
    const double ratio = static_cast<double>(steps) / static_cast<double>(firstSteps);
    if (rule == LrRule::None)
        return 1;
    return rule == LrRule::Linear ? ratio : std::sqrt(ratio);
}

Schedule scheduleOf(
    const Experiment& experiment, std::int64_t windowsPerEpoch, std::int64_t totalSteps)
{
    const ScheduleSettings& settings = experiment.schedule;
    return { .name = settings.name,
        .baseRate = experiment.optimizer.lr,
        .finalFactor = settings.finalFactor,
        .warmupSteps = settings.warmupSteps + settings.warmupEpochs * windowsPerEpoch,
        .totalSteps = totalSteps };
}

} // namespace accrue
