// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/engine_access.h"
#include "app/joining.h"
#include "app/log_access.h"
#include "app/training.h"
#include "engine/base/error.h"
#include "engine/base/sentences.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/resumed_settings.h"
#include "engine/report/launch_mark.h"
#include "engine/report/logged_training.h"
#include "engine/runlog/resume_check.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accrue {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kStart = "start"; // --from start: as if nothing had been saved

std::optional<SavedCheckpoint> namedCheckpoint(
    Engine& engine, const fs::path& folder, const std::string& name, const CheckpointCheck& check)
{
    std::vector<std::string> names = checkpointNames(folder);
    names.insert(names.begin(), std::string(kStart));
    requireName(name, names);
    if (name == kStart)
        return std::nullopt;
    return wholeCheckpoint(engine, folder / name, check);
}

// Accrue does not silently resume from an older checkpoint, which would lose steps: it names the
// older one, and the user requests it by that name.
[[noreturn]] void refuseDamaged(const ResumeChoice& choice, const std::string& call)
{
    Message problems;
    for (const SavedCheckpoint& damaged : choice.damaged)
        problems = followedBy(problems, damaged.problem);
    if (choice.newest)
        throw InputError(Message("cli.resume_from_older",
            { { "problems", problems }, { "call", call },
                { "name", choice.newest->folder.filename().string() } }));
    throw InputError(Message("cli.resume_from_start",
        { { "problems", problems }, { "call", call }, { "name", std::string(kStart) } }));
}

std::optional<SavedCheckpoint> newestCheckpoint(
    Engine& engine, const fs::path& folder, const CheckpointCheck& check, const std::string& call)
{
    ResumeChoice choice = chooseCheckpoint(engine, folder, check);
    if (!choice.damaged.empty())
        refuseDamaged(choice, call);
    return std::move(choice.newest);
}

bool sets(const Arguments& arguments, const std::string& key)
{
    return std::any_of(arguments.settings.begin(), arguments.settings.end(),
        [&](const std::string& setting) { return setting.starts_with(key + "="); });
}

// Only the split of the same effective batch can change, so N follows from a new b, and b from a
// new N.
void keepBatch(Experiment& experiment, const BatchPlan& plan, const Arguments& arguments)
{
    const bool micro = sets(arguments, key::batchMicro);
    const bool steps = sets(arguments, key::batchSteps);
    // With both or with a schedule, nothing is left to solve.
    if (micro == steps || !experiment.batch.schedule.empty())
        return;
    experiment.batch.effective = BatchNumber::given(plan.effective);
    (micro ? experiment.batch.steps : experiment.batch.micro) = BatchNumber::solved();
}

// A completed run can only be resumed with another length.
Length lengthOf(const RunRecord& run, const Arguments& arguments)
{
    const bool longer = hasItsLength(run)
        && (sets(arguments, key::runEpochs) || sets(arguments, key::runLimitSteps));
    return longer ? Length::Longer : Length::AsBefore;
}

// How a completed run can be trained longer, or why it cannot; empty: its length is not what
// prevents it from being resumed.
Message callForLonger(const RunRecord& run, const Arguments& arguments)
{
    if (!hasItsLength(run) || run.archived || !hasRecipe(run))
        return {};
    const auto before = resolve(run.experiment).resolved;
    if (!before)
        return {};
    // An old log may lack the number of samples, and 0 would be a division by zero.
    const std::int64_t samples = std::max<std::int64_t>(1, run.trainSamples);
    const RunSettings& was = before->experiment.run;
    const bool limited = endOf(*before, samples) == EndedBy::Limit;
    const ResolvedExperiment twice =
        lengthened(*before, samples, 2 * (limited ? was.limitSteps : was.epochs));
    // The advice is checked like a request, so that the user is never given a command that fails.
    if (const Findings findings = checkLonger(*before, twice, samples, run.step); !findings.empty())
        return Message("cli.not_longer", { { "reason", findings.front().message } });
    const RunSettings& is = twice.experiment.run;
    std::string call = resumeCall(arguments, run.id);
    if (is.epochs != was.epochs)
        call += " --set " + key::assignment(key::runEpochs, std::to_string(is.epochs));
    if (is.limitSteps != was.limitSteps)
        call += " --set " + key::assignment(key::runLimitSteps, std::to_string(is.limitSteps));
    return Message("cli.twice_as_long", { { "call", call } });
}

// A run cannot end before the place from which it resumes.
void refusePassed(const std::string& key, std::int64_t end, const Message& reached,
    std::int64_t place, Findings& findings)
{
    if (end < place)
        findings.push_back({ .key = key,
            .message = Message("cli.length_passed",
                { { "key", key }, { "end", std::to_string(end) }, { "reached", reached } }) });
}

// Throws CommandEnd if it cannot be resumed like that, which is printed.
RequestedRecipe askedToResume(const RunRecord& run, const std::optional<SavedCheckpoint>& from,
    const Arguments& arguments, const std::optional<RankPlace>& place, Console& console)
{
    Recipe recipe;
    recipe.experiment = settingsToResume(run, from);
    const auto before = resolve(recipe.experiment).resolved;
    if (before) {
        if (!sets(arguments, key::batchDevices) && recipe.experiment.batch.devices.isAll())
            recipe.experiment = withOtherDevices(recipe.experiment, before->plan,
                allDevices(requireEngine(), place), from && from->inWindow);
        keepBatch(recipe.experiment, before->plan, arguments);
    }
    const Message source("cli.settings_of_run", { { "run", std::to_string(numberOf(run.id)) } });
    RequestedRecipe asked = askedRecipe(source.text(), recipe, arguments, console, place);
    Findings findings = before
        ? checkResumedSettings(*before, asked.resolved, from && from->inWindow)
        : Findings {};
    if (from) {
        const RunSettings& now = asked.experiment().run;
        refusePassed(key::runEpochs, now.epochs,
            Message("cli.in_epoch", { { "epoch", from->at.epoch } }), from->at.epoch, findings);
        if (now.limitSteps > 0)
            refusePassed(key::runLimitSteps, now.limitSteps,
                Message("cli.at_step", { { "step", from->at.step } }), from->at.step, findings);
    }
    // Only without other findings: the length is computed from settings that must be right.
    if (findings.empty())
        findings = checkLengthOf(run, asked.resolved, from ? from->at.step : 0);
    requireNoErrors(findings, asked, console);
    return asked;
}

Message recipeNames()
{
    std::vector<std::string> names;
    for (const ShippedRecipe& recipe : shippedRecipes())
        names.push_back(recipe.name);
    return commaList(names);
}

// The run that an earlier attempt of this launch began in the log.
std::optional<RunId> runOfLaunch(const Arguments& arguments, const std::optional<RankPlace>& place)
{
    if (!place || place->attempt == 0 || place->launch.empty() || !isLogged(arguments))
        return {};
    std::optional<RunLogReader> log = openExistingLog(arguments);
    if (!log)
        return {};
    for (const RunRecord& run : log->runs())
        if (isOfLaunch(log->checkpointFolder(run.id), place->launch))
            return run.id;
    return {};
}

int resumeRun(
    ChosenRuns chosen, const Arguments& arguments, const TrainingTerms& terms, Console& console)
{
    const RunId id = chosen.ids.front();
    const RunRecord run = chosen.log.run(id);
    if (const Message why = whyNotResumable(run, lengthOf(run, arguments)); !why.empty()) {
        const Message longer = callForLonger(run, arguments);
        if (longer.empty())
            throw InputError(why);
        throw InputError(Message("cli.completed_run", { { "why", why }, { "longer", longer } }));
    }
    const fs::path folder = chosen.log.checkpointFolder(id);
    // Before the engine is loaded, and before anything is written into a folder behind a link.
    if (const Message problem = problemOfFolder(folder); !problem.empty())
        throw InputError(problem);
    Engine& engine = requireEngine();
    const CheckpointCheck check = checkOf(chosen.log, run);
    const auto from = arguments.from
        ? namedCheckpoint(engine, folder, *arguments.from, check)
        : newestCheckpoint(engine, folder, check, resumeCall(arguments, id));
    const RequestedRecipe asked = askedToResume(run, from, arguments, terms.place, console);
    TrainingTerms resuming = terms;
    resuming.resumed = ResumedRun { id, from, trainedOn(from, run.data) };
    return trainAsked(asked, arguments, console, resuming).code;
}

// A launcher that has started all ranks again goes on with the run that it began, whose settings
// are in the log.
int continueLaunch(
    RunId run, const Arguments& arguments, const TrainingTerms& terms, Console& console)
{
    Arguments resuming = arguments;
    resuming.operands = { std::to_string(numberOf(run)) };
    resuming.settings.clear();
    return resumeRun(chooseRuns(resuming, resuming.operands), resuming, terms, console);
}

} // namespace

int trainCommand(const Arguments& arguments, Console& console)
{
    const auto place = rankFromEnvironment();
    if (place && place->rank > 0)
        return joinRun(*place, arguments, console);
    if (const auto run = runOfLaunch(arguments, place))
        return continueLaunch(*run, arguments, { .place = place }, console);
    // A first-time user sees what can be trained.
    const Message needed("cli.recipe_to_train_needed", { { "names", recipeNames() } });
    const RequestedRecipe asked = askedRecipe(arguments, console, needed, place);
    return trainAsked(asked, arguments, console, { .place = place }).code;
}

int resumeCommand(const Arguments& arguments, Console& console)
{
    const auto place = rankFromEnvironment();
    if (place && place->rank > 0)
        return joinRun(*place, arguments, console);
    if (arguments.operands.size() != 1)
        throw InputError(Message("cli.one_run_needed_to_resume"));
    return resumeRun(
        chooseRuns(arguments, arguments.operands), arguments, { .place = place }, console);
}

} // namespace accrue
