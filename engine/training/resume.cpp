// SPDX-License-Identifier: Apache-2.0
#include "engine/training/resume.h"

#include <exception>
#include <string>

#include "engine/data/raw_data.h"
#include "engine/door/engine_error.h"
#include "engine/events/data_difference.h"
#include "engine/experiment/format.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/resumed_settings.h"
#include "engine/training/data_form.h"
#include "engine/training/position_check.h"

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

// Of data that are known: those of the training, and those that `request` finds.
std::string differenceOfData(
    const DataIdentity& trained, const DataIdentity& now, const TrainRequest& request)
{
    if (std::string problem = trainingDifference(trained, now); !problem.empty())
        return problem;
    const DataSettings& data = request.experiment.data;
    const DataFiles files = findDataFiles(data.name, data.path, request.dataDirectories);
    return validationDifference(trained, now, files.folder.string());
}

} // namespace

void checkResumable(const Checkpoint& checkpoint, const TrainRequest& request,
    const WindowSequence& windows, std::int64_t samples, const DataIdentity& data)
{
    checkPosition(checkpoint);
    const Recipe recipe = parseRecipe(checkpoint.recipe, "checkpoint");
    const Findings findings = checkResumedSettings(
        recipe.experiment, request.experiment, checkpoint.state.cursor.open.has_value());
    if (!findings.empty())
        throw EngineError(findings.front().message);
    if (const std::string problem =
            checkpoint.data.isKnown() ? differenceOfData(checkpoint.data, data, request) : "";
        !problem.empty())
        throw EngineError(problem);
    if (checkpoint.trainSamples != samples)
        throw EngineError("The checkpoint was saved with a training set of "
            + formatCount(checkpoint.trainSamples) + " samples, this one has "
            + formatCount(samples) + "; resume with the same data.");
    if (const std::string why = whyNotBehind(
            recipe.experiment, request.experiment, samples, checkpoint.state.position.step);
        !why.empty())
        throw EngineError(why);
    if (!isPlausible(checkpoint.state.cursor, windows, samples))
        throw EngineError(
            "The checkpoint's position does not occur in its run; use another checkpoint.");
}

SavedCheckpoint inspectCheckpoint(const std::filesystem::path& folder)
{
    SavedCheckpoint saved { .folder = folder };
    try {
        const Checkpoint read = readCheckpoint(folder);
        saved.format = static_cast<int>(read.format);
        saved.coversItself = read.format == kCheckpointFormat;
        checkPosition(read);
        const Recipe recipe = parseRecipe(read.recipe, "checkpoint");
        const Position& at = read.state.position;
        saved.experiment = recipe.experiment;
        saved.at = { .epoch = at.epoch,
            .step = at.step,
            .samples = at.samples,
            .microBatches = at.microBatches,
            .seconds = at.seconds };
        saved.data = read.data;
        saved.inWindow = read.state.cursor.open.has_value();
        saved.learningRateFactor = read.state.factor;
    } catch (const CheckpointError& error) {
        saved.problem = error.what();
        saved.file = error.file();
    } catch (const std::exception& error) {
        saved.problem = "\"" + folder.string() + "\" cannot be used: " + error.what();
    }
    return saved;
}

std::string resumeProblem(const DataIdentity& trained, const TrainRequest& request)
{
    if (!trained.isKnown())
        return {};
    try {
        const Experiment& experiment = request.experiment;
        const DataIdentity now = identityOf(loadRawData(
            experiment.data, request.dataDirectories, experiment.run.seed, formOf(trained)));
        return differenceOfData(trained, now, request);
    } catch (const std::exception& error) {
        return error.what();
    }
}

} // namespace accrue
