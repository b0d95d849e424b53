// SPDX-License-Identifier: Apache-2.0
#include "engine/training/schedule.h"

#include "engine/door/engine_error.h"
#include "engine/experiment/keys.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string>
#include <vector>

namespace accrue {
namespace {

constexpr double kFirstShareOfCycle = 1.0 / 25; // torch's div_factor

// From `from` at 0 to `to` at 1, level at both ends.
double wave(double from, double to, double along)
{
    return to + (from - to) * (1 + std::cos(std::numbers::pi * along)) / 2;
}

double cycle(const Schedule& schedule, double done, double length)
{
    const double peak = schedule.peakShare * length - 1;
    if (done <= peak)
        return peak > 0 ? wave(kFirstShareOfCycle, 1, done / peak) : 1;
    return wave(1, schedule.finalFactor, (done - peak) / (length - 1 - peak));
}

double shapeOf(const Schedule& schedule, std::int64_t step)
{
    const std::int64_t length =
        std::max<std::int64_t>(1, schedule.totalSteps - schedule.warmupSteps);
    const auto done = static_cast<double>(
        std::clamp<std::int64_t>(step - 1 - schedule.warmupSteps, 0, length - 1));
    const auto all = static_cast<double>(length);
    switch (schedule.name) {
    case ScheduleName::Constant:
        break;
    case ScheduleName::Cosine:
        return wave(1, schedule.finalFactor, done / all);
    case ScheduleName::Linear:
        return 1 + (schedule.finalFactor - 1) * (done / all);
    case ScheduleName::Step:
    case ScheduleName::MultiStep:
        return std::pow(schedule.gamma, schedule.fallsWithin(step - 1));
    case ScheduleName::OneCycle:
        return cycle(schedule, done, all);
    }
    return 1;
}

// The whole epochs that so many updates make.
std::int64_t epochsOf(std::int64_t updates, const UpdatesWithin& updatesWithin, std::int64_t epochs)
{
    std::int64_t low = 0;
    std::int64_t high = epochs;
    while (low < high) {
        const std::int64_t middle = low + (high - low + 1) / 2;
        if (updatesWithin(middle) <= updates)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

auto fallsEvery(const Span& every, const UpdatesWithin& updatesWithin, std::int64_t epochs)
{
    return [=](std::int64_t updates) {
        const bool inEpochs = every.unit == Span::Unit::Epochs;
        return (inEpochs ? epochsOf(updates, updatesWithin, epochs) : updates)
            / static_cast<std::int64_t>(every.count);
    };
}

std::vector<std::int64_t> solvedMilestones(
    const Experiment& experiment, const UpdatesWithin& updatesWithin)
{
    std::vector<std::int64_t> solved;
    solved.reserve(experiment.schedule.milestones.size());
    for (const Span& milestone : experiment.schedule.milestones) {
        const auto count = static_cast<std::int64_t>(milestone.count);
        solved.push_back(milestone.unit == Span::Unit::Epochs ? updatesWithin(count) : count);
        if (solved.size() > 1 && solved.back() <= *std::prev(solved.end(), 2))
            throw EngineError("schedule.milestones is "
                + settingText(*settingOf(experiment, "schedule.milestones")) + ", but number "
                + std::to_string(solved.size()) + " comes at update "
                + std::to_string(solved.back()) + " and the one before it at update "
                + std::to_string(*std::prev(solved.end(), 2)) + "; they must ascend.");
    }
    return solved;
}

auto fallsAt(const std::vector<std::int64_t>& milestones)
{
    return [milestones](std::int64_t updates) {
        const auto later = std::upper_bound(milestones.begin(), milestones.end(), updates);
        return static_cast<std::int64_t>(later - milestones.begin());
    };
}

} // namespace

double Schedule::rateOf(std::int64_t step) const
{
    const double warm =
        step < warmupSteps ? static_cast<double>(step) / static_cast<double>(warmupSteps) : 1;
    return baseRate * warm * shapeOf(*this, step);
}

double rateFactor(LrRule rule, std::int64_t steps, std::int64_t firstSteps)
{
    const double ratio = static_cast<double>(steps) / static_cast<double>(firstSteps);
    if (rule == LrRule::None)
        return 1;
    return rule == LrRule::Linear ? ratio : std::sqrt(ratio);
}

Schedule scheduleOf(
    const Experiment& experiment, const UpdatesWithin& updatesWithin, std::int64_t totalSteps)
{
    const ScheduleSettings& settings = experiment.schedule;
    Schedule schedule { .name = settings.name,
        .baseRate = experiment.optimizer.lr,
        .finalFactor = settings.finalFactor,
        .gamma = settings.gamma,
        .peakShare = settings.peakShare,
        .warmupSteps = settings.warmupSteps + updatesWithin(settings.warmupEpochs),
        .totalSteps = totalSteps,
        .fallsWithin = {} };
    if (settings.name == ScheduleName::Step)
        schedule.fallsWithin = fallsEvery(settings.every, updatesWithin, experiment.run.epochs);
    if (settings.name == ScheduleName::MultiStep)
        schedule.fallsWithin = fallsAt(solvedMilestones(experiment, updatesWithin));
    return schedule;
}

} // namespace accrue
