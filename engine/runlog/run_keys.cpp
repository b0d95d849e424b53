// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_keys.h"

#include "engine/events/event_json.h"
#include "engine/experiment/case_folding.h"
#include "engine/experiment/shown_text.h"
#include "engine/experiment/spelling.h"
#include "engine/runlog/settled_settings.h"

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

RunValue number(std::optional<double> value)
{
    const bool known = value && std::isfinite(*value);
    return { known ? value : std::nullopt, {}, false };
}

template <typename Count> RunValue count(Count value)
{
    return number(static_cast<double>(value));
}

// A figure that is 0 while it is not known.
RunValue unlessZero(double value)
{
    return value > 0 ? number(value) : RunValue {};
}

RunValue word(const std::string& value)
{
    return { {}, value.empty() ? std::vector<std::string> {} : std::vector { value }, false };
}

RunValue part(const std::string& value)
{
    RunValue text = word(value);
    text.partly = true;
    return text;
}

RunValue setting(const RunRecord& run, std::string_view key)
{
    const std::optional<SettingValue> value = settledSetting(run, key);
    if (!value)
        return {};
    if (const auto* whole = std::get_if<std::int64_t>(&*value))
        return count(*whole);
    if (const auto* real = std::get_if<double>(&*value))
        return number(*real);
    return word(settingText(*value));
}

std::string withBlanks(std::string_view word)
{
    std::string text(word);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

RunValue stateOf(const RunRecord& run)
{
    RunValue value = word(conditionOf(run));
    if (run.state == RunState::Finished)
        value.words.emplace_back(nameOf(run.state));
    return value;
}

std::vector<RunKey> listOfKeys()
{
    using R = const RunRecord&;
    constexpr bool kHigh = true; // comes first
    constexpr bool kLow = false;
    return {
        { "b", "micro-batch", kLow, [](R r) { return count(planInForce(r).micro); } },
        { "N", "accumulation steps", kLow, [](R r) { return count(planInForce(r).steps); } },
        { "B", "effective batch", kLow, [](R r) { return count(r.plan.effective); } },
        { "norm", "none, batch or group", kLow, [](R r) { return setting(r, "model.norm"); } },
        { "lr", "learning rate", kLow, [](R r) { return number(r.experiment.optimizer.lr); } },
        { "accuracy", "best accuracy, 0 to 1 or in %", kHigh,
            [](R r) { return number(bestAccuracyOf(r)); } },
        { "loss", "last test loss", kLow, [](R r) { return number(r.finalTestLoss); } },
        { "test_accuracy", "last test accuracy", kHigh,
            [](R r) { return number(r.finalTestAccuracy); } },
        { "test_loss", "last test loss", kLow, [](R r) { return number(r.finalTestLoss); } },
        { "validation_accuracy", "last accuracy on samples held out", kHigh,
            [](R r) { return number(r.finalValidationAccuracy); } },
        { "validation_loss", "last loss on samples held out", kLow,
            [](R r) { return number(r.finalValidationLoss); } },
        { "train_loss", "training loss of the last epoch", kLow,
            [](R r) { return number(r.finalTrainLoss); } },
        { "train_accuracy", "training accuracy of the last epoch", kHigh,
            [](R r) { return number(r.finalTrainAccuracy); } },
        { "time", "training time: 90, 90s, 5min, 1h", kLow, [](R r) { return number(r.seconds); } },
        { "throughput", "samples a second", kHigh, [](R r) { return unlessZero(r.throughput); } },
        { "memory", "peak memory of training: 200MiB, 1.5GiB", kLow,
            [](R r) { return unlessZero(static_cast<double>(r.peakBytes)); } },
        { "peak_bytes", "peak memory of training", kLow,
            [](R r) { return unlessZero(static_cast<double>(r.peakBytes)); } },
        { "step", "updates made", kHigh, [](R r) { return count(r.step); } },
        { "epoch", "epoch reached", kHigh, [](R r) { return count(r.epoch); } },
        { "samples", "samples seen", kHigh, [](R r) { return count(r.samples); } },
        { "parameters", "trainable numbers of the model", kLow,
            [](R r) { return count(r.parameters); } },
        { "id", "the run's number", kHigh, [](R r) { return count(numberOf(r.id)); } },
        { "state",
            "running, paused, completed, stopped, diverged, out-of-memory, failed, interrupted; "
            "finished: any that has ended",
            kLow, stateOf },
        { "outcome", "completed, stopped, diverged, out-of-memory, failed", kLow,
            [](R r) { return word(r.outcome ? withBlanks(nameOf(*r.outcome)) : std::string()); } },
        { "name", "part of the name", kLow, [](R r) { return part(r.name); } },
        { "note", "part of the note", kLow, [](R r) { return part(r.note); } },
        { "tag", "one of the tags", kLow,
            [](R r) {
                return RunValue { {}, r.tags, false };
            } },
        { "data", "data set", kLow, [](R r) { return setting(r, "data.name"); } },
        { "model", "network", kLow, [](R r) { return setting(r, "model.name"); } },
        { "optimizer", "sgd, adam or adamw", kLow,
            [](R r) { return setting(r, "optimizer.name"); } },
        { "seed", "seed", kLow, [](R r) { return count(r.experiment.run.seed); } },
        { "device", "part of the device's name", kLow,
            [](R r) { return part(r.device + " " + r.deviceName); } },
        { "host", "machine", kLow, [](R r) { return word(r.host); } },
        { "created", "when it began, in milliseconds of Unix time", kHigh,
            [](R r) { return count(r.createdMs); } },
    };
}

} // namespace

const std::vector<RunKey>& runKeys()
{
    static const std::vector<RunKey> keys = listOfKeys();
    return keys;
}

// Keys are as they are written; only where none is spelled so, case is forgiven.
const RunKey* findRunKey(std::string_view name)
{
    for (const RunKey& key : runKeys())
        if (name == key.name)
            return &key;
    for (const RunKey& key : runKeys())
        if (caseFolded(name) == caseFolded(key.name))
            return &key;
    return nullptr;
}

std::optional<RunValue> runValue(const RunRecord& run, std::string_view key)
{
    if (const RunKey* known = findRunKey(key))
        return known->value(run);
    return isRunKey(key) ? std::optional(setting(run, key)) : std::nullopt;
}

bool isRunKey(std::string_view key)
{
    return findRunKey(key) != nullptr || settingOf(Experiment {}, key).has_value();
}

std::string unknownRunKey(std::string_view key)
{
    std::vector<std::string> known;
    for (const RunKey& one : runKeys())
        known.emplace_back(one.name);
    std::string near = nearestOf(key, known);
    if (near.empty()) {
        known.clear();
        for (const KeyInfo& info : experimentKeys())
            known.emplace_back(info.key);
        near = nearestOf(key, known);
    }
    return "There is no key " + shortened(key)
        + (near.empty()
                ? ". Try b, N, B, norm, lr, accuracy, loss, time, state, tag, or a recipe key"
                  " such as optimizer.momentum."
                : "; did you mean " + near + "?");
}

std::string conditionName(const RunRecord& run)
{
    const bool ended = run.state == RunState::Finished && run.outcome;
    return std::string(ended ? nameOf(*run.outcome) : nameOf(run.state));
}

std::string conditionOf(const RunRecord& run)
{
    return withBlanks(conditionName(run));
}

} // namespace accrue
