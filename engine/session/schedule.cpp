// SPDX-License-Identifier: Apache-2.0
#include "engine/session/schedule.h"

#include "engine/base/error.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <vector>

namespace accrue {
namespace {

constexpr double kFirstShareOfCycle = 1.0 / 25; // torch's div_factor

// From `from` at 0 to `to` at 1, level at both ends.
double wave(double from, double to, double along)
{
    return to + (from - to) * (1 + std::cos(std::numbers::pi * along)) / 2;
}

// Where an update is in the run: `done` of `length` updates after the warm-up come before it, and
// `updates` of the whole run.
struct Place {
    double done;
    double length;
    std::int64_t updates;
};

double constant(const Schedule&, const Place&)
{
    return 1;
}

double cosine(const Schedule& schedule, const Place& place)
{
    return wave(1, schedule.shape.finalFactor, place.done / place.length);
}

double linear(const Schedule& schedule, const Place& place)
{
    return 1 + (schedule.shape.finalFactor - 1) * (place.done / place.length);
}

double falling(const Schedule& schedule, const Place& place)
{
    return std::pow(schedule.shape.gamma, schedule.fallsWithin(place.updates));
}

double cycle(const Schedule& schedule, const Place& place)
{
    const double peak = schedule.shape.peakShare * place.length - 1;
    if (place.done <= peak)
        return peak > 0 ? wave(kFirstShareOfCycle, 1, place.done / peak) : 1;
    return wave(1, schedule.shape.finalFactor, (place.done - peak) / (place.length - 1 - peak));
}

Place placeOf(const Schedule& schedule, std::int64_t step)
{
    const std::int64_t length =
        std::max<std::int64_t>(1, schedule.totalSteps - schedule.warmupSteps);
    const std::int64_t done =
        std::clamp<std::int64_t>(step - 1 - schedule.warmupSteps, 0, length - 1);
    return { static_cast<double>(done), static_cast<double>(length), step - 1 };
}

// The whole epochs that so many updates make, by bisection: the sequence of windows only answers
// the opposite question.
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

using FallsWithin = std::function<std::int64_t(std::int64_t updates)>;

FallsWithin noFalls(const Experiment&, const UpdatesWithin&)
{
    return {};
}

FallsWithin fallsEvery(const Experiment& experiment, const UpdatesWithin& updatesWithin)
{
    const Span every = experiment.schedule.every;
    const std::int64_t epochs = experiment.run.epochs;
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
            throw Error(Message("session.milestones_descend",
                { { "value", settingText(*settingOf(experiment, key::scheduleMilestones)) },
                    { "number", solved.size() }, { "update", solved.back() },
                    { "before", *std::prev(solved.end(), 2) } }));
    }
    return solved;
}

FallsWithin fallsAt(const Experiment& experiment, const UpdatesWithin& updatesWithin)
{
    return [milestones = solvedMilestones(experiment, updatesWithin)](std::int64_t updates) {
        const auto later = std::upper_bound(milestones.begin(), milestones.end(), updates);
        return static_cast<std::int64_t>(later - milestones.begin());
    };
}

// One row a schedule: its share of the base rate, and when it falls.
struct Shape {
    double (*share)(const Schedule&, const Place&);
    FallsWithin (*falls)(const Experiment&, const UpdatesWithin&);
};

// In the order of ScheduleName, like scheduleTable.
constexpr std::array kShapes {
    Shape { constant, noFalls },
    Shape { cosine, noFalls },
    Shape { linear, noFalls },
    Shape { falling, fallsEvery },
    Shape { falling, fallsAt },
    Shape { cycle, noFalls },
};

const Shape& shapeOf(ScheduleName name)
{
    return kShapes.at(static_cast<std::size_t>(name));
}

} // namespace

// The factor of the warm-up multiplies the shape, so that warm-up and schedule do not know each
// other.
double Schedule::rateOf(std::int64_t step) const
{
    const double warm =
        step < warmupSteps ? static_cast<double>(step) / static_cast<double>(warmupSteps) : 1;
    return baseRate * warm * shapeOf(shape.name).share(*this, placeOf(*this, step));
}

Schedule scheduleOf(
    const Experiment& experiment, const UpdatesWithin& updatesWithin, std::int64_t totalSteps)
{
    const ScheduleSettings& settings = experiment.schedule;
    return { .shape = settings,
        .baseRate = experiment.optimizer.lr,
        .warmupSteps = settings.warmupSteps + updatesWithin(settings.warmupEpochs),
        .totalSteps = totalSteps,
        .fallsWithin = shapeOf(settings.name).falls(experiment, updatesWithin) };
}

} // namespace accrue
