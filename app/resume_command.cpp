// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/saved_checkpoint.h"
#include "app/training.h"
#include "app/wrong_input.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/format.h"
#include "engine/experiment/resumed_settings.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace accrue {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kStart = "start"; // --from: as if nothing had been saved

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

// Nothing is lost behind the user's back: the one before is named, and asked for by its name.
[[noreturn]] void refuseDamaged(const ResumeChoice& choice, const std::string& call)
{
    std::string problems;
    for (const SavedCheckpoint& damaged : choice.damaged)
        problems += damaged.problem + " ";
    const std::string before = choice.newest ? "the one before it" : "the beginning";
    const std::string name =
        choice.newest ? choice.newest->folder.filename().string() : std::string(kStart);
    throw WrongInput(problems + "To go on from " + before + ": " + call + " --from " + name);
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

// Only how the same batch is cut can be changed, so that of b and N the other one follows.
void keepBatch(Experiment& experiment, const Arguments& arguments)
{
    const bool micro = sets(arguments, "batch.micro");
    const bool steps = sets(arguments, "batch.steps");
    const std::optional<BatchPlan> plan = solveBatch(experiment).plan;
    if (micro == steps || !plan || !experiment.batch.schedule.empty())
        return;
    experiment.batch.effective = BatchNumber::given(plan->effective);
    (micro ? experiment.batch.steps : experiment.batch.micro) = BatchNumber::solved();
}

// A completed run goes on only with another length.
Length lengthOf(const RunRecord& run, const Arguments& arguments)
{
    const bool longer = run.outcome == RunOutcome::Completed
        && (sets(arguments, "run.epochs") || sets(arguments, "run.limit_steps"));
    return longer ? Length::Longer : Length::AsBefore;
}

// How a completed run goes on, or why it cannot; empty: it is not what keeps it from going on.
std::string callForLonger(const RunRecord& run, const Arguments& arguments)
{
    if (run.outcome != RunOutcome::Completed || run.archived)
        return {};
    const Experiment& before = run.experiment;
    const std::int64_t samples = std::max<std::int64_t>(1, run.trainSamples);
    const bool limited = endOf(before, samples) == EndedBy::Limit;
    const Experiment twice =
        lengthened(before, samples, 2 * (limited ? before.run.limitSteps : before.run.epochs));
    if (const Findings findings = checkLonger(before, twice, samples, run.step); !findings.empty())
        return " From its end it cannot be: " + findings.front().message;
    std::string call = " For twice as long: " + resumeCall(arguments, run.id);
    if (twice.run.epochs != before.run.epochs)
        call += " --set run.epochs=" + std::to_string(twice.run.epochs);
    if (twice.run.limitSteps != before.run.limitSteps)
        call += " --set run.limit_steps=" + std::to_string(twice.run.limitSteps);
    return call;
}

// A run cannot end before the place that it goes on from.
void refusePassed(const std::string& key, std::int64_t end, const std::string& where,
    std::int64_t reached, Findings& findings)
{
    if (end < reached)
        findings.push_back({ .key = key,
            .message = key + " is " + std::to_string(end) + ", but the checkpoint is " + where + " "
                + formatCount(reached) + "; give more, or an older checkpoint with --from." });
}

// Empty where it cannot go on so, which is said.
std::optional<AskedRecipe> askedToGoOn(const RunRecord& run,
    const std::optional<SavedCheckpoint>& from, const Arguments& arguments, Console& console)
{
    Experiment logged = run.experiment;
    logged.name = run.name;
    const Experiment before = resumedSettings(logged, run.threads, from);
    Recipe recipe;
    recipe.experiment = before;
    keepBatch(recipe.experiment, arguments);
    auto asked =
        askedRecipe("run #" + std::to_string(numberOf(run.id)), recipe, arguments, console);
    if (!asked)
        return std::nullopt;
    Findings findings =
        checkResumedSettings(before, asked->recipe.experiment, from && from->inWindow);
    if (from) {
        const RunSettings& now = asked->recipe.experiment.run;
        refusePassed("run.epochs", now.epochs, "in epoch", from->at.epoch, findings);
        if (now.limitSteps > 0)
            refusePassed("run.limit_steps", now.limitSteps, "at step", from->at.step, findings);
    }
    if (findings.empty())
        findings = checkLength(run.experiment, asked->recipe.experiment,
            std::max<std::int64_t>(1, run.trainSamples), from ? from->at.step : 0,
            run.outcome == RunOutcome::Completed);
    return sayPlaced(findings, *asked, console) ? asked : std::nullopt;
}

} // namespace

int resumeCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 1)
        throw WrongInput("resume takes one run: accrue resume 12; accrue list shows the runs.");
    ChosenRuns chosen = chooseRuns(arguments, arguments.operands);
    const RunId id = chosen.ids.front();
    const RunRecord run = chosen.log.run(id);
    if (const std::string why = whyNotResumable(run, lengthOf(run, arguments)); !why.empty())
        throw WrongInput(why + callForLonger(run, arguments));
    const fs::path folder = chosen.log.checkpointFolder(id);
    if (const std::string problem = problemOfFolder(folder); !problem.empty())
        throw WrongInput(problem);
    Engine& engine = requireEngine();
    const CheckpointCheck check = checkOf(chosen.log, run);
    const auto from = arguments.from
        ? namedCheckpoint(engine, folder, *arguments.from, check)
        : newestCheckpoint(engine, folder, check, resumeCall(arguments, id));
    const auto asked = askedToGoOn(run, from, arguments, console);
    if (!asked)
        return kExitWrongInput;
    const ResumedRun resumed { id, from, trainedOn(from, run.data) };
    return trainAsked(*asked, arguments, console, { .resumed = resumed }).code;
}

} // namespace accrue
