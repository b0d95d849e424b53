// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/resumed_settings.h"

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/epoch_plan.h"
#include "engine/experiment/format.h"
#include "engine/experiment/key_table.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/validation.h"
#include "engine/experiment/window_sequence.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace accrue {
namespace {

template <std::size_t Size>
bool isOneOf(const std::array<std::string_view, Size>& keys, std::string_view key)
{
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// Of none of these does an update depend.
bool hasNoPartInUpdates(std::string_view key)
{
    constexpr std::array<std::string_view, 10> kKeys { "name", "run.device", "run.threads",
        "run.evaluate_every", "run.evaluation_batch", "checkpoint.every", "checkpoint.keep",
        "checkpoint.best", "memory.budget", "memory.metering" };
    return isOneOf(kKeys, key);
}

// A run may go on for longer, and its data may have been moved.
bool mayDifferOnResume(std::string_view key)
{
    constexpr std::array<std::string_view, 3> kKeys { "data.path", "run.epochs",
        "run.limit_steps" };
    return hasNoPartInUpdates(key) || isOneOf(kKeys, key);
}

// A run goes on with what it began with, but what is traced changes nothing, and the order in
// memory and the choice of algorithms change no more than rounding.
bool mayDifferInOneTraining(std::string_view key)
{
    constexpr std::array<std::string_view, 3> kKeys { "trace.parameters", "run.memory_format",
        "run.deterministic" };
    return hasNoPartInUpdates(key) || isOneOf(kKeys, key);
}

// The four that solve into a plan are compared by it.
bool isBatchNumber(std::string_view key)
{
    return key == "batch.effective" || key == "batch.micro" || key == "batch.steps"
        || key == "batch.devices";
}

// Whether the same effective batch in other micro-batches makes other updates: a sum of their means
// is as many times as long, and BatchNorm normalises by what each of them holds. A micro-batch that
// is yet to be measured cannot be compared.
bool splitPartsUpdates(const Experiment& first, const Experiment& second)
{
    const auto both = [&](auto is) { return is(first) && is(second); };
    return !microFollowsBudget(first) && !microFollowsBudget(second)
        && (both([](const Experiment& e) { return e.batch.reduction == Reduction::Sum; })
            || both([](const Experiment& e) { return e.model.norm == Norm::Batch; }));
}

Finding differs(const std::string& key, const std::string& now, const std::string& rest)
{
    return { .key = key, .message = key + " is " + now + ", but the run was trained with " + rest };
}

void checkSettings(Findings& findings, const Experiment& before, const Experiment& now)
{
    const Settings were = settingsOf(before);
    const Settings are = settingsOf(now);
    for (std::size_t i = 0; i < were.size(); ++i) {
        const std::string& key = were[i].first;
        if (were[i] != are[i] && !mayDifferOnResume(key) && !isBatchNumber(key))
            findings.push_back(differs(key, settingText(are[i].second),
                settingText(were[i].second) + " so far; go on with that."));
    }
}

void checkBatch(Findings& findings, const BatchPlan& was, const BatchPlan& is, bool windowIsOpen)
{
    if (was.effective != is.effective || was.schedule != is.schedule)
        findings.push_back(differs("batch.effective", formatCount(is.effective),
            "an effective batch of " + formatCount(was.effective)
                + " samples so far; only how the same batch is cut can be changed."));
    else if (windowIsOpen && was != is)
        findings.push_back(differs("batch.micro", formatCount(is.micro),
            formatCount(was.micro) + " and was saved in the middle of a window of "
                + formatCount(was.steps) + " micro-batches; go on with that cut."));
}

bool knowsTheLength(ScheduleName name)
{
    return name == ScheduleName::Cosine || name == ScheduleName::Linear
        || name == ScheduleName::OneCycle;
}

// Of all epochs, without run.limit_steps.
std::int64_t updatesOf(const Experiment& experiment, const BatchPlan& plan, std::int64_t samples)
{
    const std::int64_t epochs = experiment.run.epochs;
    return WindowSequence(plan, samples, epochs).updatesWithin(epochs);
}

// A window that the end of the last epoch closed and that one epoch more would have left open.
bool lastWindowIsCutShort(const Experiment& experiment, const BatchPlan& plan, std::int64_t samples)
{
    const std::int64_t epochs = experiment.run.epochs;
    return WindowSequence(plan, samples, epochs + 1).updatesWithin(epochs)
        != updatesOf(experiment, plan, samples);
}

void addShrunk(Findings& findings, const char* key, std::int64_t was, std::int64_t is)
{
    if (is < was)
        findings.push_back({ .key = key,
            .message = std::string(key) + " is " + formatCount(is)
                + ", but the run has been trained to its end with " + formatCount(was)
                + "; it can only be made longer." });
}

std::string nothingLeft(const Experiment& before, const Experiment& now, bool limited)
{
    if (limited)
        return "run.limit_steps is " + formatCount(now.run.limitSteps)
            + ", and the run has made as many updates; it goes on only with a larger one, or with 0"
              " for no limit.";
    return "run.epochs is " + formatCount(now.run.epochs) + ", and the run has been trained for "
        + formatCount(before.run.epochs) + "; it goes on only with more.";
}

std::string scheduleText(const Experiment& experiment)
{
    return "schedule.name is " + settingText(*settingOf(experiment, "schedule.name"))
        + ", whose rates follow from the length of the run";
}

Finding otherLength(const Experiment& before, const Experiment& now)
{
    const bool epochs = before.run.epochs != now.run.epochs;
    const auto count = [epochs](const Experiment& experiment) {
        return formatCount(epochs ? experiment.run.epochs : experiment.run.limitSteps);
    };
    return differs(epochs ? "run.epochs" : "run.limit_steps", count(now),
        count(before) + " so far, and " + scheduleText(before) + "; go on with that.");
}

constexpr const char* kInstead =
    " To train on from its weights, begin a new run with model.init_from.";

// Update `updates` closed the window that a longer run would have filled.
std::string cutShortText(const Experiment& experiment, std::int64_t updates)
{
    return "batch.tail is carry, and update " + formatCount(updates)
        + ", the last one, took only the samples that were left at the end of epoch "
        + formatCount(experiment.run.epochs)
        + "; a longer run fills its window from the next epoch. Go on from an earlier checkpoint."
        + kInstead;
}

} // namespace

Findings checkResumedSettings(const Experiment& before, const Experiment& now, bool windowIsOpen)
{
    Findings findings;
    checkSettings(findings, before, now);
    const std::optional<BatchPlan> was = solveBatch(before).plan;
    const std::optional<BatchPlan> is = solveBatch(now).plan;
    if (was && is)
        checkBatch(findings, *was, *is, windowIsOpen);
    return findings;
}

std::string whyNotLonger(const Experiment& experiment, std::int64_t samples, std::int64_t updates)
{
    const std::optional<BatchPlan> plan = solveBatch(experiment).plan;
    if (updates == 0 || !plan)
        return {};
    if (knowsTheLength(experiment.schedule.name))
        return scheduleText(experiment) + ", so a longer run would have made other updates so far."
            + kInstead;
    if (lastWindowIsCutShort(experiment, *plan, samples)
        && updates >= updatesOf(experiment, *plan, samples))
        return cutShortText(experiment, updates);
    return {};
}

std::string whyNotBehind(
    const Experiment& saved, const Experiment& now, std::int64_t samples, std::int64_t updates)
{
    const std::optional<BatchPlan> was = solveBatch(saved).plan;
    const bool longer = was && now.run.epochs > saved.run.epochs;
    return longer && lastWindowIsCutShort(saved, *was, samples)
            && updates >= updatesOf(saved, *was, samples)
        ? cutShortText(saved, updates)
        : std::string();
}

Findings checkLonger(
    const Experiment& before, const Experiment& now, std::int64_t samples, std::int64_t updates)
{
    Findings findings;
    addShrunk(findings, "run.epochs", before.run.epochs, now.run.epochs);
    if (before.run.limitSteps > 0 && now.run.limitSteps > 0)
        addShrunk(findings, "run.limit_steps", before.run.limitSteps, now.run.limitSteps);
    const std::optional<BatchPlan> was = solveBatch(before).plan;
    const std::optional<BatchPlan> is = solveBatch(now).plan;
    if (!findings.empty() || !was || !is)
        return findings;
    if (totalUpdates(now, *is, samples) <= totalUpdates(before, *was, samples)) {
        const bool limited =
            now.run.limitSteps > 0 && now.run.limitSteps <= updatesOf(now, *is, samples);
        findings.push_back({ .key = limited ? "run.limit_steps" : "run.epochs",
            .message = nothingLeft(before, now, limited) });
    } else if (const std::string why = whyNotLonger(before, samples, updates); !why.empty()) {
        findings.push_back({ .key = "run.epochs", .message = why });
    }
    return findings;
}

Findings checkLength(const Experiment& before, const Experiment& now, std::int64_t samples,
    std::int64_t updates, bool completed)
{
    if (completed)
        return checkLonger(before, now, samples, updates);
    const std::optional<BatchPlan> was = solveBatch(before).plan;
    const std::optional<BatchPlan> is = solveBatch(now).plan;
    if (updates == 0 || !knowsTheLength(before.schedule.name) || !was || !is
        || totalUpdates(now, *is, samples) == totalUpdates(before, *was, samples))
        return {};
    return { otherLength(before, now) };
}

EndedBy endOf(const Experiment& experiment, std::int64_t samples)
{
    const std::optional<BatchPlan> plan = solveBatch(experiment).plan;
    const std::int64_t limit = experiment.run.limitSteps;
    const bool limited = limit > 0 && plan && limit < updatesOf(experiment, *plan, samples);
    return limited ? EndedBy::Limit : EndedBy::Epochs;
}

Experiment lengthened(Experiment experiment, std::int64_t samples, std::int64_t count)
{
    RunSettings& run = experiment.run;
    if (endOf(experiment, samples) == EndedBy::Epochs) {
        run.epochs = count;
        if (endOf(experiment, samples) == EndedBy::Limit)
            run.limitSteps = 0;
        return experiment;
    }
    const BatchPlan plan = *solveBatch(experiment).plan;
    run.limitSteps = count;
    while (updatesOf(experiment, plan, samples) < count && run.epochs <= kLargestCount / 2)
        run.epochs *= 2;
    return experiment;
}

std::vector<SettingThatParts> settingsThatPart(const Experiment& first, const Experiment& second)
{
    std::vector<SettingThatParts> found;
    const std::optional<BatchPlan> a = solveBatch(first).plan;
    const std::optional<BatchPlan> b = solveBatch(second).plan;
    if (a && b && a->effective != b->effective)
        found.push_back(
            { "batch.effective", std::to_string(a->effective), std::to_string(b->effective) });
    else if (a && b && a->micro != b->micro && splitPartsUpdates(first, second))
        found.push_back({ "batch.micro", std::to_string(a->micro), std::to_string(b->micro) });
    const Settings ofFirst = settingsOf(first);
    const Settings ofSecond = settingsOf(second);
    const Settings readOfFirst = settingsOf(withoutUnreadSettings(first));
    const Settings readOfSecond = settingsOf(withoutUnreadSettings(second));
    for (std::size_t i = 0; i < ofFirst.size(); ++i) {
        const auto& [key, value] = ofFirst[i];
        const bool differs = value != ofSecond[i].second && readOfFirst[i] != readOfSecond[i];
        if (differs && !isBatchNumber(key) && !mayDifferInOneTraining(key))
            found.push_back({ key, settingText(value), settingText(ofSecond[i].second) });
    }
    return found;
}

} // namespace accrue
