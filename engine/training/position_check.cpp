// SPDX-License-Identifier: Apache-2.0
#include "engine/training/position_check.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/format.h"
#include "engine/experiment/recipe.h"

namespace accrue {
namespace {

constexpr std::int64_t kMostSamples = std::int64_t { 1 } << 32; // of a training set; products fit

[[noreturn]] void fail(const std::string& what)
{
    throw EngineError("The checkpoint's position does not occur in its run: " + what
        + ". Use another checkpoint.");
}

void require(bool holds, const char* what)
{
    if (!holds)
        fail(what);
}

WindowSequence windowsOf(const Checkpoint& checkpoint)
{
    const Recipe recipe = parseRecipe(checkpoint.recipe, "checkpoint");
    if (hasErrors(recipe.findings))
        throw EngineError("The checkpoint holds a recipe that cannot be trained: "
            + recipe.findings.front().message);
    const std::optional<BatchPlan> plan = solveBatch(recipe.experiment).plan;
    if (!plan)
        throw EngineError("The checkpoint holds a recipe whose batch numbers do not fit together.");
    return { *plan, checkpoint.trainSamples, recipe.experiment.run.epochs };
}

void checkSamples(const RunState& state, const WindowSequence& windows)
{
    const Position& at = state.position;
    const std::optional<std::int64_t> computed = windows.samplesAt(state.cursor);
    if (!computed)
        fail("no window ends or is open at cursor.epoch " + formatCount(state.cursor.epoch)
            + ", cursor.offset " + formatCount(state.cursor.offset) + " after cursor.updates "
            + formatCount(state.cursor.updates));
    if (at.samples != *computed)
        fail("position.samples is " + formatCount(at.samples) + ", at its cursor "
            + formatCount(*computed) + " were computed");
    const std::int64_t windowsBegun = at.step + (state.cursor.open ? 1 : 0);
    require(at.microBatches >= windowsBegun && at.microBatches <= at.samples,
        "position.micro_batches does not fit position.step and position.samples");
}

// Its order is drawn before its first sample is computed.
bool fitsEpoch(const Position& at, const WindowCursor& cursor, bool epochIsOver)
{
    return at.epoch == cursor.epoch || (epochIsOver && at.epoch == cursor.epoch + 1)
        || (at.samples == 0 && at.epoch == 0);
}

bool fits(const Sums& sums, std::int64_t most)
{
    return sums.correct <= sums.samples && sums.samples <= most;
}

void checkFigures(const RunState& state, std::int64_t trainSamples)
{
    const std::int64_t step = state.position.step;
    require(state.lastUpdate <= step && state.lastEvaluation <= step,
        "the last update or evaluation is after position.step");
    require(fits(state.epoch, trainSamples) && fits(state.carried, trainSamples),
        "the samples of its epoch are more than there are");
    if (state.cursor.open) // otherwise they are of a window that has closed or was given up
        require(state.slicesDone > 0 && state.slicesDone <= state.cursor.filled
                && state.slicesDone <= state.position.microBatches,
            "the micro-batches of its open window do not fit");
    require(std::isfinite(state.factor) && std::isfinite(state.evaluationNext)
            && std::isfinite(state.checkpointNext) && std::isfinite(state.best)
            && std::isfinite(state.lossScale.value) && state.lossScale.value > 0,
        "a figure of state.safetensors is not finite");
}

} // namespace

void checkPosition(const Checkpoint& checkpoint)
{
    const RunState& state = checkpoint.state;
    const Position& at = state.position;
    require(checkpoint.trainSamples >= 1 && checkpoint.trainSamples <= kMostSamples,
        "run.train_samples is no size of a training set");
    require(checkpoint.threads >= 1, "run.threads is below 1");
    require(std::isfinite(at.seconds) && at.seconds >= 0, "position.seconds is no time");
    require(at.step == state.cursor.updates, "position.step is not cursor.updates");
    const WindowSequence windows = windowsOf(checkpoint);
    checkSamples(state, windows);
    require(fitsEpoch(at, state.cursor, windows.epochIsOver(state.cursor)),
        "position.epoch is not that of its cursor");
    checkFigures(state, checkpoint.trainSamples);
}

} // namespace accrue
