// SPDX-License-Identifier: Apache-2.0
#include "engine/session/resume.h"

#include <algorithm>
#include <exception>

#include "engine/base/sentences.h"
#include "engine/checkpoint/position_check.h"
#include "engine/data/load_data.h"
#include "engine/events/data_difference.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/resumed_settings.h"
#include "engine/session/run_preparation.h"

namespace accrue {
namespace {

// Returns whether any run can reach `cursor`.
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
    // The cursor must be between two slices, also in an epoch that the window was carried into.
    const std::vector<Slice> left = windows.slices(*part);
    return part->done == part->samples
        || (!left.empty() && left.front().begin == part->begin + part->done);
}

// Compares the data of the training, which are known, with those that `request` finds.
Message differenceOfData(
    const DataIdentity& trained, const DataIdentity& now, const TrainRequest& request)
{
    if (Message problem = trainingDifference(trained, now); !problem.empty())
        return problem;
    const DataSettings& data = request.resolved.experiment.data;
    const DataFiles files = findDataFiles(data.name, data.path, request.dataDirectories);
    return validationDifference(trained, now, files.folder.string());
}

} // namespace

// From the cheapest check to the most specific one, so that the message names the cause and not one
// of its consequences: other data would also have another size and another position.
void checkResumable(const Checkpoint& checkpoint, const TrainRequest& request,
    const WindowSequence& windows, std::int64_t samples, const DataIdentity& data)
{
    checkPosition(checkpoint);
    const Recipe recipe = parseRecipe(checkpoint.recipe, "checkpoint");
    const ResolvedExperiment saved = requireResolved(recipe.experiment);
    const Findings findings =
        checkResumedSettings(saved, request.resolved, checkpoint.state.cursor.open.has_value());
    if (!findings.empty())
        throw Error(findings.front().message);
    const Message problem =
        checkpoint.data.isKnown() ? differenceOfData(checkpoint.data, data, request) : Message();
    if (!problem.empty())
        throw Error(problem);
    if (checkpoint.trainSamples != samples)
        throw Error(Message("session.resume_other_size",
            { { "saved", checkpoint.trainSamples }, { "found", samples } }));
    if (const auto why = whyNotBehind(
            saved, request.resolved.experiment, samples, checkpoint.state.position.step);
        !why.empty())
        throw Error(why);
    if (!isPlausible(checkpoint.state.cursor, windows, samples))
        throw Error(Message("session.resume_position"));
}

// With another budget or split, a person states that the earlier out-of-memory error no longer
// counts.
std::int64_t microToResume(
    const Checkpoint& checkpoint, const Experiment& experiment, std::int64_t planned)
{
    const Experiment saved = parseRecipe(checkpoint.recipe, "checkpoint").experiment;
    const std::int64_t micro = checkpoint.state.micro;
    const bool asBefore =
        checkpoint.state.cursor.open || saved.memory.budget == experiment.memory.budget;
    const bool asSaved = saved.batch == withDevicesCounted(experiment).batch;
    return micro > 0 && asBefore && asSaved ? std::min(micro, planned) : planned;
}

std::vector<Message> resumeWarnings(const DataIdentity& trained, const DataIdentity& now)
{
    return trained.isKnown() ? evaluatedPartWarnings(trained, now)
                             : std::vector<Message> { dataNotStored() };
}

// Never throws: a damaged checkpoint is a result, and the caller continues with the one before it.
SavedCheckpoint inspectCheckpoint(const std::filesystem::path& folder)
{
    SavedCheckpoint saved { .folder = folder };
    try {
        const Checkpoint read = readCheckpoint(folder);
        saved.format = static_cast<int>(read.format);
        saved.coversItself = read.format == kCheckpointFormat;
        checkPosition(read);
        const Recipe recipe = parseRecipe(read.recipe, "checkpoint");
        saved.experiment = recipe.experiment;
        saved.at = read.state.position;
        saved.data = read.data;
        saved.inWindow = read.state.cursor.open.has_value();
    } catch (const CheckpointError& error) {
        saved.problem = error.message();
        saved.file = error.file();
    } catch (const std::exception& error) {
        saved.problem = Message("session.checkpoint_unusable",
            { { "folder", folder.string() }, { "problem", messageOf(error) } });
    }
    return saved;
}

Message resumeProblem(const DataIdentity& trained, const TrainRequest& request)
{
    if (!trained.isKnown())
        return {};
    try {
        return differenceOfData(trained, identityOf(loadData(request, trained)), request);
    } catch (const std::exception& error) {
        return messageOf(error);
    }
}

} // namespace accrue
