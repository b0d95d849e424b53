// SPDX-License-Identifier: Apache-2.0
#include "engine/training/resume.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/door/engine_error.h"
#include "engine/experiment/format.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/recipe.h"

namespace accrue {
namespace {

bool mayDiffer(std::string_view key)
{
    constexpr std::array<std::string_view, 11> kFree { "name", "data.path", "run.epochs",
        "run.limit_steps", "run.device", "run.threads", "run.evaluate_every",
        "run.evaluation_batch", "checkpoint.every", "checkpoint.keep", "checkpoint.best" };
    return std::find(kFree.begin(), kFree.end(), key) != kFree.end();
}

// The four that solve into a plan are compared by it.
bool isBatchNumber(std::string_view key)
{
    return key == "batch.effective" || key == "batch.micro" || key == "batch.steps"
        || key == "batch.devices";
}

void checkSettings(const Experiment& saved, const Experiment& asked)
{
    const Settings before = settingsOf(saved);
    const Settings now = settingsOf(asked);
    for (std::size_t i = 0; i < before.size(); ++i) {
        const std::string& key = before[i].first;
        if (before[i] == now[i] || mayDiffer(key) || isBatchNumber(key))
            continue;
        throw EngineError("The checkpoint was saved with " + key + " = "
            + settingText(before[i].second) + ", but the run asks for " + settingText(now[i].second)
            + "; resume with the settings it was saved with.");
    }
}

void checkBatch(const Checkpoint& checkpoint, const Experiment& saved, const BatchPlan& plan)
{
    const std::optional<BatchPlan> before = solveBatch(saved).plan;
    if (!before)
        throw EngineError("The checkpoint's recipe cannot be run; use another checkpoint.");
    if (before->effective != plan.effective || before->schedule != plan.schedule)
        throw EngineError("The checkpoint was saved with an effective batch of "
            + formatCount(before->effective) + " samples, but the run asks for "
            + formatCount(plan.effective) + "; only how the same batch is cut can be changed.");
    if (checkpoint.state.cursor.open && *before != plan)
        throw EngineError("The checkpoint was saved in the middle of a window of "
            + formatCount(before->steps) + " micro-batches of " + formatCount(before->micro)
            + " samples; resume with that cut.");
}

// Whether a run can have come to `cursor` at all.
bool isPlausible(const WindowCursor& cursor, const WindowSequence& windows, std::int64_t samples)
{
    if (cursor.epoch < 1 || cursor.offset < 0 || cursor.offset > samples || cursor.updates < 0)
        return false;
    if (!cursor.open)
        return cursor.filled == 0;
    if (cursor.filled < 1 || cursor.filled >= cursor.open->samples || cursor.open->epoch < 1
        || cursor.open->epoch > cursor.epoch)
        return false;
    const auto part = windows.next(cursor);
    if (!part || part->done < 0 || part->begin < 0 || part->position < 0)
        return false;
    // Between two slices.
    const std::vector<Slice> left = windows.slices(*part);
    return part->done == part->samples || (!left.empty() && left.front().begin == cursor.offset);
}

} // namespace

void checkResumable(const Checkpoint& checkpoint, const Experiment& experiment,
    const BatchPlan& plan, const WindowSequence& windows, std::int64_t samples)
{
    const Recipe recipe = parseRecipe(checkpoint.recipe, "checkpoint");
    checkSettings(recipe.experiment, experiment);
    checkBatch(checkpoint, recipe.experiment, plan);
    if (checkpoint.trainSamples != samples)
        throw EngineError("The checkpoint was saved with a training set of "
            + formatCount(checkpoint.trainSamples) + " samples, this one has "
            + formatCount(samples) + "; resume with the same data.");
    if (!isPlausible(checkpoint.state.cursor, windows, samples))
        throw EngineError(
            "The checkpoint's position is none that a run comes to; use another checkpoint.");
}

} // namespace accrue
