// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/resumed_settings.h"

#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/registries.h"
#include "engine/experiment/validation.h"
#include "engine/experiment/window_sequence.h"

#include <string_view>
#include <utility>

namespace accrue {
namespace {

// Whether a key's values may differ: always, if it is of the `other` kind, and if the plans that
// the keys solve to are compared instead.
bool mayDiffer(std::string_view key, KeyChange other)
{
    const KeyChange change = findKey(key)->change;
    return change == KeyChange::Always || change == KeyChange::ByPlan || change == other;
}

// Whether two splits of the same effective batch compute other updates: with batch.reduction =
// "sum" the gradient's length depends on the slices of all devices, and BatchNorm normalises by the
// statistics of each micro-batch. A micro-batch that is yet to be measured cannot be compared.
bool splitPartsUpdates(const ResolvedExperiment& one, const ResolvedExperiment& other)
{
    if (microFollowsBudget(one.experiment) || microFollowsBudget(other.experiment))
        return false;
    const auto both = [&](auto is) { return is(one.experiment) && is(other.experiment); };
    const bool sums = both([](const Experiment& e) { return e.batch.reduction == Reduction::Sum; });
    const bool norms = both([](const Experiment& e) { return e.model.norm == Norm::Batch; });
    return (sums && largestSlice(one.plan) != largestSlice(other.plan))
        || (norms && one.plan.micro != other.plan.micro);
}

// The batch number to which the difference between such splits is due.
SettingThatParts splitThatParts(const BatchPlan& a, const BatchPlan& b)
{
    if (a.micro != b.micro)
        return { key::batchMicro, std::to_string(a.micro), std::to_string(b.micro) };
    return { key::batchDevices, std::to_string(a.devices), std::to_string(b.devices) };
}

void checkSettings(Findings& findings, const Experiment& before, const Experiment& now)
{
    const Settings were = settingsOf(before);
    const Settings are = settingsOf(now);
    for (std::size_t i = 0; i < were.size(); ++i) {
        const std::string& key = were[i].first;
        if (were[i] != are[i] && !mayDiffer(key, KeyChange::OnResume))
            findings.push_back(errorAbout(key,
                Message("resumed.other_setting",
                    { { "key", key }, { "now", settingText(are[i].second) },
                        { "before", settingText(were[i].second) } })));
    }
}

void checkBatch(Findings& findings, const BatchPlan& was, const BatchPlan& is, bool windowIsOpen)
{
    if (was.effective != is.effective || was.schedule != is.schedule)
        findings.push_back(errorAbout(key::batchEffective,
            Message(
                "resumed.other_batch", { { "now", is.effective }, { "before", was.effective } })));
    // The open window was begun with its own N and weights, which another split would contradict.
    else if (windowIsOpen && was.devices != is.devices)
        findings.push_back(errorAbout(key::batchDevices,
            Message(
                "resumed.other_devices", { { "now", is.devices }, { "before", was.devices } })));
    else if (windowIsOpen && was != is)
        findings.push_back(errorAbout(key::batchMicro,
            Message("resumed.other_split",
                { { "now", is.micro }, { "before", was.micro }, { "steps", was.steps } })));
}

// For all epochs, without run.limit_steps.
std::int64_t updatesOf(const ResolvedExperiment& resolved, std::int64_t samples)
{
    const std::int64_t epochs = resolved.experiment.run.epochs;
    return WindowSequence(resolved.plan, samples, epochs).updatesWithin(epochs);
}

// At most run.limit_steps.
std::int64_t totalOf(const ResolvedExperiment& resolved, std::int64_t samples)
{
    return totalUpdates(resolved.experiment, resolved.plan, samples);
}

// Why the window that update `updates` closed differs from that of a longer run: the end of the
// last epoch closed it, and one epoch more would have left it open. Empty: it is the same.
Message whyCutShort(const ResolvedExperiment& resolved, std::int64_t samples, std::int64_t updates)
{
    const std::int64_t epochs = resolved.experiment.run.epochs;
    const std::int64_t all = updatesOf(resolved, samples);
    if (updates < all
        || WindowSequence(resolved.plan, samples, epochs + 1).updatesWithin(epochs) == all)
        return {};
    return Message("resumed.last_window_cut_short", { { "update", updates }, { "epoch", epochs } });
}

void addShrunk(Findings& findings, const char* key, std::int64_t was, std::int64_t is)
{
    if (is < was)
        findings.push_back(errorAbout(key,
            Message("resumed.shorter",
                { { "key", std::string(key) }, { "now", is }, { "before", was } })));
}

Message nothingLeft(const RunSettings& before, const RunSettings& now, bool limited)
{
    if (limited)
        return Message("resumed.limit_reached", { { "limit", now.limitSteps } });
    return Message(
        "resumed.epochs_reached", { { "now", now.epochs }, { "before", before.epochs } });
}

std::string scheduleOf(const Experiment& experiment)
{
    return settingText(*settingOf(experiment, key::scheduleName));
}

Finding otherLength(const Experiment& before, const Experiment& now)
{
    const bool epochs = before.run.epochs != now.run.epochs;
    const auto count = [epochs](const Experiment& experiment) {
        return epochs ? experiment.run.epochs : experiment.run.limitSteps;
    };
    const std::string key = epochs ? key::runEpochs : key::runLimitSteps;
    return errorAbout(key,
        Message("resumed.other_length",
            { { "key", key }, { "now", count(now) }, { "before", count(before) },
                { "schedule", scheduleOf(before) } }));
}

} // namespace

Experiment withOtherDevices(
    Experiment experiment, const BatchPlan& before, std::int64_t found, bool windowIsOpen)
{
    BatchSettings& batch = experiment.batch;
    if (!batch.devices.isAll())
        return experiment;
    const bool differs = found > 0 && found != before.devices;
    if (differs && windowIsOpen)
        batch.devices = BatchNumber::given(before.devices);
    else if (differs && batch.schedule.empty()) {
        if (!microFollowsBudget(experiment))
            batch.micro = BatchNumber::given(before.micro);
        batch.effective = BatchNumber::given(before.effective);
        batch.steps = BatchNumber::solved();
    }
    return withDevicesFound(std::move(experiment), found);
}

Findings checkResumedSettings(
    const ResolvedExperiment& before, const ResolvedExperiment& now, bool windowIsOpen)
{
    Findings findings;
    checkSettings(findings, before.experiment, now.experiment);
    checkBatch(findings, before.plan, now.plan, windowIsOpen);
    return findings;
}

Message whyNotLonger(const ResolvedExperiment& resolved, std::int64_t samples, std::int64_t updates)
{
    const Experiment& experiment = resolved.experiment;
    // Before the first update there is nothing that a longer run would have done differently.
    if (updates == 0)
        return {};
    if (scheduleInfo(experiment.schedule.name).followsLength)
        return Message("resumed.rates_follow_length", { { "schedule", scheduleOf(experiment) } });
    return whyCutShort(resolved, samples, updates);
}

Message whyNotBehind(const ResolvedExperiment& saved, const Experiment& now, std::int64_t samples,
    std::int64_t updates)
{
    // Only more epochs could have left the window open; a limit of steps never cuts one short.
    const bool longer = now.run.epochs > saved.experiment.run.epochs;
    return longer ? whyCutShort(saved, samples, updates) : Message();
}

Findings checkLonger(const ResolvedExperiment& before, const ResolvedExperiment& now,
    std::int64_t samples, std::int64_t updates)
{
    const RunSettings& was = before.experiment.run;
    const RunSettings& is = now.experiment.run;
    Findings findings;
    addShrunk(findings, key::runEpochs, was.epochs, is.epochs);
    // 0 is no limit, which is more than any limit.
    if (was.limitSteps > 0 && is.limitSteps > 0)
        addShrunk(findings, key::runLimitSteps, was.limitSteps, is.limitSteps);
    if (!findings.empty())
        return findings;
    if (totalOf(now, samples) <= totalOf(before, samples)) {
        const bool limited = is.limitSteps > 0 && is.limitSteps <= updatesOf(now, samples);
        findings.push_back(errorAbout(
            limited ? key::runLimitSteps : key::runEpochs, nothingLeft(was, is, limited)));
    } else if (const Message why = whyNotLonger(before, samples, updates); !why.empty()) {
        findings.push_back(errorAbout(key::runEpochs, why));
    }
    return findings;
}

Findings checkLength(const ResolvedExperiment& before, const ResolvedExperiment& now,
    std::int64_t samples, std::int64_t updates, bool completed)
{
    if (completed)
        return checkLonger(before, now, samples, updates);
    // Without updates, or with rates that do not depend on the length, any length continues the
    // same run.
    if (updates == 0 || !scheduleInfo(before.experiment.schedule.name).followsLength
        || totalOf(now, samples) == totalOf(before, samples))
        return {};
    return { otherLength(before.experiment, now.experiment) };
}

EndedBy endOf(const ResolvedExperiment& resolved, std::int64_t samples)
{
    const std::int64_t limit = resolved.experiment.run.limitSteps;
    const bool limited = limit > 0 && limit < updatesOf(resolved, samples);
    return limited ? EndedBy::Limit : EndedBy::Epochs;
}

// The plan does not change: it does not depend on the length of the run.
ResolvedExperiment lengthened(ResolvedExperiment resolved, std::int64_t samples, std::int64_t count)
{
    RunSettings& run = resolved.experiment.run;
    if (endOf(resolved, samples) == EndedBy::Epochs) {
        run.epochs = count;
        if (endOf(resolved, samples) == EndedBy::Limit)
            run.limitSteps = 0;
        return resolved;
    }
    // Doubles instead of computing: epochs and updates are not proportional if N changes or a tail
    // is carried, and a few epochs too many change nothing, because the limit ends the run.
    run.limitSteps = count;
    while (updatesOf(resolved, samples) < count && run.epochs <= kLargestCount / 2)
        run.epochs *= 2;
    return resolved;
}

std::vector<SettingThatParts> settingsThatPart(
    const ResolvedExperiment& one, const ResolvedExperiment& other)
{
    const Experiment& first = one.experiment;
    const Experiment& second = other.experiment;
    const BatchPlan& a = one.plan;
    const BatchPlan& b = other.plan;
    std::vector<SettingThatParts> found;
    if (a.effective != b.effective)
        found.push_back(
            { key::batchEffective, std::to_string(a.effective), std::to_string(b.effective) });
    else if (splitPartsUpdates(one, other))
        found.push_back(splitThatParts(a, b));
    const Settings ofFirst = settingsOf(first);
    const Settings ofSecond = settingsOf(second);
    // A key that neither run reads may differ freely; one that only one of them reads is compared
    // with the default of the other, so only a value with an effect counts.
    const Settings readOfFirst = settingsOf(withoutUnreadSettings(first));
    const Settings readOfSecond = settingsOf(withoutUnreadSettings(second));
    for (std::size_t i = 0; i < ofFirst.size(); ++i) {
        const auto& [key, value] = ofFirst[i];
        const bool differs = value != ofSecond[i].second && readOfFirst[i] != readOfSecond[i];
        if (differs && !mayDiffer(key, KeyChange::InOneTraining))
            found.push_back({ key, settingText(value), settingText(ofSecond[i].second) });
    }
    return found;
}

} // namespace accrue
