// SPDX-License-Identifier: Apache-2.0
#include "engine/session/active_run.h"

#include <utility>

namespace accrue {

void RunEnding::end(RunOutcome how, Message why, EarlyEnd isEarly)
{
    isOver = true;
    outcome = how;
    message = std::move(why);
    early = isEarly;
}

ActiveRun::ActiveRun(const TrainRequest& asked, RunControl& asking, World& asOneOf)
    : request(asked)
    , experiment(asked.resolved.experiment)
    , control(asking)
    , world(asOneOf)
    , ranks(asOneOf)
{
    static_cast<ResolvedExperiment&>(started) = asked.resolved;
}

void ActiveRun::beginStates()
{
    states.now.best = -1; // below any accuracy, so that the first evaluation is the best so far
    states.now.micro = prepared.windows.micro();
    if (experiment.run.precision == Precision::Float16)
        states.now.lossScale.value = LossScale::kFirst;
    states.now.evaluationNext = nextDue(experiment.run.evaluateEvery);
    states.now.checkpointNext = nextDue(experiment.checkpoint.every);
    states.opened = states.known = states.good = states.now;
}

RunProgress ActiveRun::progress() const
{
    RunProgress progress = progressAt(states.now);
    progress.seconds = clock.seconds();
    return progress;
}

RunProgress ActiveRun::progressAt(const RunState& state) const
{
    const WindowCursor& cursor = state.cursor;
    const double epochs = static_cast<double>(cursor.epoch - 1)
        + static_cast<double>(cursor.offset) / static_cast<double>(started.trainSamples);
    return { epochs, state.position.step, state.position.seconds };
}

bool ActiveRun::isDue(const Span& every, double next) const
{
    const bool mine = isReached(every, next, progress());
    return every.unit == Span::Unit::Minutes ? world.agree({ .isDue = mine }).isDue : mine;
}

// The number of passes is that of the whole window, also for one that is resumed in its middle:
// BatchNorm corrects its momentum by it.
WindowOpening ActiveRun::opening(std::int64_t samples) const
{
    return { .microBatches = prepared.windows.microBatches(states.now.cursor),
        .micro = prepared.windows.micro(),
        .samples = samples,
        .lossScale = states.now.lossScale.value };
}

// The augmentation belongs to the epoch as the order does, so both change together.
void ActiveRun::beginEpoch(std::int64_t epoch)
{
    order->draw(epoch);
    window->setAugmentation(order->augmentation());
    states.now.position.epoch = epoch;
}

} // namespace accrue
