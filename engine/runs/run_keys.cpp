// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/run_keys.h"

#include "engine/base/case_folding.h"
#include "engine/base/shown_text.h"
#include "engine/base/spelling.h"
#include "engine/events/event_json.h"
#include "engine/events/metrics.h"
#include "engine/experiment/keys.h"
#include "engine/runs/settled_settings.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace accrue {

namespace {

RunValue number(std::optional<double> value)
{
    // The value of a diverged run is not finite: it counts as missing and comes last in either
    // direction.
    const bool known = value && std::isfinite(*value);
    return { known ? value : std::nullopt, {}, false };
}

template <typename Count> RunValue count(Count value)
{
    return number(static_cast<double>(value));
}

// A figure that is 0 as long as it is unknown.
RunValue unlessZero(double value)
{
    return value > 0 ? number(value) : RunValue {};
}

RunValue word(const std::string& value)
{
    return { {}, value.empty() ? std::vector<std::string> {} : std::vector { value }, false };
}

// Text that a person wrote: a filter may match any part of it.
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
    // The first word sorts. The second makes `state=finished` find every run that has ended.
    if (run.state == RunState::Finished)
        value.words.emplace_back(nameOf(run.state));
    return value;
}

using R = const RunRecord&;
constexpr bool kHigh = true; // comes first
constexpr bool kLow = false;

Message help(const std::string& name, const std::string& english,
    std::initializer_list<MessageArgument> arguments = {})
{
    return { "filter." + name + ".help", english, arguments };
}

RunKey figure(const std::string& name, const char* english, bool highestFirst, RunValue (*value)(R))
{
    return { name, help(name, english), highestFirst, /*isNumber=*/true, value };
}

RunKey result(MetricId metric, const char* english, std::optional<double> RunRecord::*value)
{
    return { nameOf(metric), help(nameOf(metric), english), infoOf(metric).better == Better::Higher,
        /*isNumber=*/true, [value](R run) { return number(run.*value); } };
}

RunKey words(
    const char* name, const std::string& english, RunValue (*value)(R), const std::string& all = {})
{
    return { name, help(name, english, { { "words", all } }), kLow, /*isNumber=*/false, value };
}

// "micro-batch" from the label "Micro-batch b", whose symbol is the filter's own name.
Message filterHelpOf(const KeyInfo& key)
{
    // A choice is typed as one of its words, so these are its help.
    if (key.value.editor == KeyEditor::Choice)
        return help(key.filter, "{words}", { { "words", key.allowed } });
    std::string text = key.label;
    if (text.ends_with(" " + key.filter))
        text.resize(text.size() - key.filter.size() - 1);
    text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    return help(key.filter, text);
}

std::vector<RunKey> keysOfTheRecipe()
{
    std::vector<RunKey> keys;
    for (const KeyInfo& key : experimentKeys())
        if (!key.filter.empty())
            keys.push_back({ key.filter, filterHelpOf(key), kLow,
                /*isNumber=*/key.value.editor != KeyEditor::Choice,
                [name = key.key](R r) { return setting(r, name); } });
    return keys;
}

std::vector<RunKey> keysOfEvaluations()
{
    return {
        figure(kAccuracyFilter, "best accuracy, 0 to 1 or in %", kHigh,
            [](R r) { return number(bestAccuracyOf(r)); }),
        figure(kLossFilter, "last test loss", kLow, [](R r) { return number(r.finalTestLoss); }),
        result(MetricId::TestAccuracy, "last test accuracy", &RunRecord::finalTestAccuracy),
        result(MetricId::TestLoss, "last test loss", &RunRecord::finalTestLoss),
        result(MetricId::ValidationAccuracy, "last accuracy on the validation split",
            &RunRecord::finalValidationAccuracy),
        result(MetricId::ValidationLoss, "last loss on the validation split",
            &RunRecord::finalValidationLoss),
        result(MetricId::TrainLoss, "training loss of the last epoch", &RunRecord::finalTrainLoss),
        result(MetricId::TrainAccuracy, "training accuracy of the last epoch",
            &RunRecord::finalTrainAccuracy),
    };
}

std::vector<RunKey> keysOfTheCourse()
{
    return {
        figure(kTimeFilter, "training time: 90, 90s, 5min, 1h", kLow,
            [](R r) { return number(r.seconds); }),
        figure(nameOf(MetricId::Throughput), "samples per second", kHigh,
            [](R r) { return unlessZero(r.throughput); }),
        figure(kMemoryFilter, "peak memory of training: 200MiB, 1.5GiB", kLow,
            [](R r) { return unlessZero(static_cast<double>(r.peakBytes)); }),
        figure(nameOf(MetricId::PeakBytes), "peak memory of training", kLow,
            [](R r) { return unlessZero(static_cast<double>(r.peakBytes)); }),
        figure("step", "completed updates", kHigh, [](R r) { return count(r.step); }),
        figure("epoch", "epoch reached", kHigh, [](R r) { return count(r.epoch); }),
        figure("samples", "samples seen", kHigh, [](R r) { return count(r.samples); }),
        figure("parameters", "trainable parameters of the model", kLow,
            [](R r) { return count(r.parameters); }),
        figure("id", "the run's number", kHigh, [](R r) { return count(numberOf(r.id)); }),
        figure("sweep", "number of the sweep that it belongs to", kHigh,
            [](R r) { return unlessZero(static_cast<double>(r.sweep)); }),
    };
}

// With hyphens, as people type them: out-of-memory.
std::string listOf(const std::vector<std::string_view>& names)
{
    std::string list;
    for (const std::string_view name : names)
        list += (list.empty() ? "" : ", ") + std::string(name);
    std::replace(list.begin(), list.end(), '_', '-');
    return list;
}

std::string outcomes()
{
    std::vector<std::string_view> names;
    for (int outcome = 0; outcome <= static_cast<int>(RunOutcome::Failed); ++outcome)
        names.push_back(nameOf(static_cast<RunOutcome>(outcome)));
    return listOf(names);
}

std::string states()
{
    std::vector<std::string_view> names;
    for (const RunState state :
        { RunState::Queued, RunState::Running, RunState::Paused, RunState::Interrupted })
        names.push_back(nameOf(state));
    return listOf(names) + ", " + outcomes();
}

std::vector<RunKey> keysOfWhatItIs()
{
    return {
        words("state",
            "{words}; " + std::string(nameOf(RunState::Finished)) + ": any that has ended", stateOf,
            states()),
        words(
            "outcome", "{words}",
            [](R r) { return word(r.outcome ? withBlanks(nameOf(*r.outcome)) : std::string()); },
            outcomes()),
        words("name", "part of the name", [](R r) { return part(r.name); }),
        words("note", "part of the note", [](R r) { return part(r.note); }),
        words(kTagFilter, "one of the tags",
            [](R r) {
                return RunValue { {}, r.tags, false };
            }),
        // Both names, because people know a device as "cuda:0" or by its product name.
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

RunReading readingOf(std::string_view key, const std::vector<std::string>& others)
{
    if (const RunKey* known = findRunKey(key))
        return known->value;
    if (findKey(key) == nullptr && std::find(others.begin(), others.end(), key) == others.end())
        return {};
    return [key = std::string(key)](const RunRecord& run) { return setting(run, key); };
}

bool mayBeWord(std::string_view key, const std::string& word)
{
    if (const RunKey* known = findRunKey(key))
        return !known->isNumber;
    // A dotted key has no type of its own: the type of its default value decides.
    const std::optional<SettingValue> standard = settingOf(Experiment {}, key);
    const bool isNumber = standard
        && (std::holds_alternative<std::int64_t>(*standard)
            || std::holds_alternative<double>(*standard));
    // "auto" is a word of a key whose values are numbers; only the key's own reader knows such
    // words.
    Experiment tried;
    return !isNumber || !hasErrors(applyBareSetting(tried, key, word));
}

Message unknownRunKey(std::string_view key)
{
    std::vector<std::string> known;
    for (const RunKey& one : runKeys())
        known.emplace_back(one.name);
    // The short names first: they are what people type, and there are few.
    std::string near = nearestOf(key, known);
    if (near.empty()) {
        known.clear();
        for (const KeyInfo& info : experimentKeys())
            known.emplace_back(info.key);
        near = nearestOf(key, known);
    }
    if (near.empty())
        return Message("runlog.no_such_key", { { "key", shortened(key) } });
    return Message("runlog.misspelt_key", { { "key", shortened(key) }, { "near", near } });
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

bool wasTrained(const RunRecord& run)
{
    return run.state != RunState::Queued || run.step > 0;
}

} // namespace accrue
