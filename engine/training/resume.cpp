// SPDX-License-Identifier: Apache-2.0
#include "engine/training/resume.h"

#include <exception>
#include <string>

#include "engine/door/engine_error.h"
#include "engine/experiment/format.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/resumed_settings.h"

namespace accrue {
namespace {

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
    // Between two slices, also of an epoch that the window was carried into.
    const std::vector<Slice> left = windows.slices(*part);
    return part->done == part->samples
        || (!left.empty() && left.front().begin == part->begin + part->done);
}

} // namespace

void checkResumable(const Checkpoint& checkpoint, const Experiment& experiment,
    const WindowSequence& windows, std::int64_t samples)
{
    const Recipe recipe = parseRecipe(checkpoint.recipe, "checkpoint");
    const Findings findings = checkResumedSettings(
        recipe.experiment, experiment, checkpoint.state.cursor.open.has_value());
    if (!findings.empty())
        throw EngineError(findings.front().message);
    if (checkpoint.trainSamples != samples)
        throw EngineError("The checkpoint was saved with a training set of "
            + formatCount(checkpoint.trainSamples) + " samples, this one has "
            + formatCount(samples) + "; resume with the same data.");
    if (!isPlausible(checkpoint.state.cursor, windows, samples))
        throw EngineError(
            "The checkpoint's position is none that a run comes to; use another checkpoint.");
}

SavedCheckpoint inspectCheckpoint(const std::filesystem::path& folder)
{
    SavedCheckpoint saved { .folder = folder };
    try {
        const Checkpoint read = readCheckpoint(folder);
        const Recipe recipe = parseRecipe(read.recipe, "checkpoint");
        if (hasErrors(recipe.findings))
            throw EngineError("\"" + folder.string()
                + "\" holds a recipe that cannot be trained: " + recipe.findings.front().message);
        const Position& at = read.state.position;
        saved.experiment = recipe.experiment;
        saved.at = { .epoch = at.epoch,
            .step = at.step,
            .samples = at.samples,
            .microBatches = at.microBatches,
            .seconds = at.seconds };
        saved.inWindow = read.state.cursor.open.has_value();
        saved.learningRateFactor = read.state.factor;
    } catch (const std::exception& error) {
        saved.problem = error.what();
    }
    return saved;
}

} // namespace accrue
