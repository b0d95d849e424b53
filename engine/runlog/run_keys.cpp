// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_keys.h"

#include "engine/events/event_json.h"
#include "engine/experiment/case_folding.h"
#include "engine/experiment/recipe.h"
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

using R = const RunRecord&;
constexpr bool kHigh = true; // comes first
constexpr bool kLow = false;

RunKey figure(const char* name, const char* help, bool highestFirst, RunValue (*value)(R))
{
    return { name, help, highestFirst, /*isNumber=*/true, value };
}

RunKey words(const char* name, const char* help, RunValue (*value)(R))
{
    return { name, help, kLow, /*isNumber=*/false, value };
}

std::vector<RunKey> keysOfTheRecipe()
{
    return {
        figure("b", "micro-batch", kLow, [](R r) { return count(planInForce(r).micro); }),
        figure("N", "accumulation steps", kLow, [](R r) { return count(planInForce(r).steps); }),
        figure("B", "effective batch", kLow, [](R r) { return count(r.plan.effective); }),
        words("norm", "none, batch or group", [](R r) { return setting(r, "model.norm"); }),
        figure("lr", "learning rate", kLow, [](R r) { return number(r.experiment.optimizer.lr); }),
    };
}

std::vector<RunKey> keysOfEvaluations()
{
    return {
        figure("accuracy", "best accuracy, 0 to 1 or in %", kHigh,
            [](R r) { return number(bestAccuracyOf(r)); }),
        figure("loss", "last test loss", kLow, [](R r) { return number(r.finalTestLoss); }),
        figure("test_accuracy", "last test accuracy", kHigh,
            [](R r) { return number(r.finalTestAccuracy); }),
        figure("test_loss", "last test loss", kLow, [](R r) { return number(r.finalTestLoss); }),
        figure("validation_accuracy", "last accuracy on samples held out", kHigh,
            [](R r) { return number(r.finalValidationAccuracy); }),
        figure("validation_loss", "last loss on samples held out", kLow,
            [](R r) { return number(r.finalValidationLoss); }),
        figure("train_loss", "training loss of the last epoch", kLow,
            [](R r) { return number(r.finalTrainLoss); }),
        figure("train_accuracy", "training accuracy of the last epoch", kHigh,
            [](R r) { return number(r.finalTrainAccuracy); }),
    };
}

std::vector<RunKey> keysOfTheCourse()
{
    return {
        figure("time", "training time: 90, 90s, 5min, 1h", kLow,
            [](R r) { return number(r.seconds); }),
        figure(
            "throughput", "samples a second", kHigh, [](R r) { return unlessZero(r.throughput); }),
        figure("memory", "peak memory of training: 200MiB, 1.5GiB", kLow,
            [](R r) { return unlessZero(static_cast<double>(r.peakBytes)); }),
        figure("peak_bytes", "peak memory of training", kLow,
            [](R r) { return unlessZero(static_cast<double>(r.peakBytes)); }),
        figure("step", "updates made", kHigh, [](R r) { return count(r.step); }),
        figure("epoch", "epoch reached", kHigh, [](R r) { return count(r.epoch); }),
        figure("samples", "samples seen", kHigh, [](R r) { return count(r.samples); }),
        figure("parameters", "trainable numbers of the model", kLow,
            [](R r) { return count(r.parameters); }),
        figure("id", "the run's number", kHigh, [](R r) { return count(numberOf(r.id)); }),
    };
}

std::vector<RunKey> keysOfWhatItIs()
{
    return {
        words("state",
            "running, paused, completed, stopped, diverged, out-of-memory, failed, interrupted; "
            "finished: any that has ended",
            stateOf),
        words("outcome", "completed, stopped, diverged, out-of-memory, failed",
            [](R r) { return word(r.outcome ? withBlanks(nameOf(*r.outcome)) : std::string()); }),
        words("name", "part of the name", [](R r) { return part(r.name); }),
        words("note", "part of the note", [](R r) { return part(r.note); }),
        words("tag", "one of the tags",
            [](R r) {
                return RunValue { {}, r.tags, false };
            }),
        words("data", "data set", [](R r) { return setting(r, "data.name"); }),
        words("model", "network", [](R r) { return setting(r, "model.name"); }),
        words("optimizer", "sgd, adam or adamw", [](R r) { return setting(r, "optimizer.name"); }),
        figure("seed", "seed", kLow, [](R r) { return count(r.experiment.run.seed); }),
        words("device", "part of the device's name",
            [](R r) {
                return part(r.deviceName.empty() ? r.device : r.device + " " + r.deviceName);
            }),
        words("host", "machine", [](R r) { return word(r.host); }),
        figure("created", "when it began, in milliseconds of Unix time", kHigh,
            [](R r) { return count(r.createdMs); }),
    };
}

std::vector<RunKey> listOfKeys()
{
    std::vector<RunKey> keys;
    for (const auto& some :
        { keysOfTheRecipe(), keysOfEvaluations(), keysOfTheCourse(), keysOfWhatItIs() })
        keys.insert(keys.end(), some.begin(), some.end());
    return keys;
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

RunReading readingOf(std::string_view key)
{
    if (const RunKey* known = findRunKey(key))
        return known->value;
    if (!settingOf(Experiment {}, key))
        return {};
    return [key = std::string(key)](const RunRecord& run) { return setting(run, key); };
}

std::optional<RunValue> runValue(const RunRecord& run, std::string_view key)
{
    const RunReading reading = readingOf(key);
    return reading ? std::optional(reading(run)) : std::nullopt;
}

bool isRunKey(std::string_view key)
{
    return readingOf(key) != nullptr;
}

bool mayBeWord(std::string_view key, const std::string& word)
{
    if (const RunKey* known = findRunKey(key))
        return !known->isNumber;
    const std::optional<SettingValue> standard = settingOf(Experiment {}, key);
    const bool isNumber = standard
        && (std::holds_alternative<std::int64_t>(*standard)
            || std::holds_alternative<double>(*standard));
    Experiment tried;
    return !isNumber || !hasErrors(applyBareSetting(tried, key, word));
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
