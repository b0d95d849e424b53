// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/position_check.h"

#include <cmath>

#include "engine/base/error.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/resolved.h"

// The digests of a checkpoint show damage, but whoever edits a file can compute them again. So the
// values in the files are compared with what a run of their recipe can reach (docs/decisions.md).
namespace accrue {
namespace {

constexpr std::int64_t kMostSamples = std::int64_t { 1 } << 32; // of a training set; products fit

[[noreturn]] void fail(const Message& what)
{
    throw Error(Message("checkpoint.impossible", { { "problem", what } }));
}

void require(bool holds, const Message& what)
{
    if (!holds)
        fail(what);
}

WindowSequence windowsOf(const Checkpoint& checkpoint)
{
    const Recipe recipe = parseRecipe(checkpoint.recipe, "checkpoint");
    if (hasErrors(recipe.findings))
        throw Error(Message(
            "checkpoint.recipe_invalid", { { "problem", recipe.findings.front().message } }));
    return { requireResolved(recipe.experiment).plan, checkpoint.trainSamples,
        recipe.experiment.run.epochs };
}

void checkSamples(const RunState& state, const WindowSequence& windows)
{
    const Position& at = state.position;
    const std::optional<std::int64_t> computed = windows.samplesAt(state.cursor);
    if (!computed)
        fail(Message("checkpoint.no_such_window",
            { { "epoch", state.cursor.epoch }, { "offset", state.cursor.offset },
                { "updates", state.cursor.updates } }));
    if (at.samples != *computed)
        fail(Message(
            "checkpoint.samples_differ", { { "samples", at.samples }, { "computed", *computed } }));
    const std::int64_t windowsBegun = at.step + (state.cursor.open ? 1 : 0);
    // A window has at least one micro-batch, a micro-batch at least one sample.
    require(at.microBatches >= windowsBegun && at.microBatches <= at.samples,
        Message("checkpoint.micro_batches_differ"));
}

// A run draws the order of an epoch before it computes the epoch's first sample, so a checkpoint
// between the two may be an epoch ahead of its cursor.
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
        Message("checkpoint.update_in_future"));
    require(fits(state.epoch, trainSamples) && fits(state.carried, trainSamples),
        Message("checkpoint.epoch_too_long"));
    if (state.cursor.open) // otherwise they belong to a window that was closed or abandoned
        require(state.slicesDone > 0 && state.slicesDone <= state.cursor.filled
                && state.slicesDone <= state.position.microBatches,
            Message("checkpoint.open_window_differs"));
    require(std::isfinite(state.factor) && std::isfinite(state.evaluationNext)
            && std::isfinite(state.checkpointNext) && std::isfinite(state.best)
            && std::isfinite(state.lossScale.value) && state.lossScale.value > 0,
        Message("checkpoint.figure_not_finite"));
}

} // namespace

void checkPosition(const Checkpoint& checkpoint)
{
    const RunState& state = checkpoint.state;
    const Position& at = state.position;
    // First, because the arithmetic of the windows overflows beyond these bounds.
    require(checkpoint.trainSamples >= 1 && checkpoint.trainSamples <= kMostSamples,
        Message("checkpoint.train_samples_invalid"));
    require(checkpoint.threads >= 1, Message("checkpoint.no_threads"));
    require(std::isfinite(at.seconds) && at.seconds >= 0, Message("checkpoint.seconds_invalid"));
    require(at.step == state.cursor.updates, Message("checkpoint.step_differs"));
    const WindowSequence windows = windowsOf(checkpoint);
    checkSamples(state, windows);
    require(fitsEpoch(at, state.cursor, windows.epochIsOver(state.cursor)),
        Message("checkpoint.epoch_differs"));
    checkFigures(state, checkpoint.trainSamples);
}

} // namespace accrue
