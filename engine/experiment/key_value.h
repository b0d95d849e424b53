// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/finding.h"
#include "engine/experiment/key_info.h"
#include "engine/experiment/key_ranges.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

// Only for this room: the rows of the table of keys, by section of a recipe, and how they reach the
// members of Experiment. `at` returns one of them, given an experiment, const or not.
namespace accrue {

// keys.cpp adds what follows from the values of rows and from the registries.
std::vector<KeyInfo> keysOfData();
std::vector<KeyInfo> keysOfModel();
std::vector<KeyInfo> keysOfBatch();
std::vector<KeyInfo> keysOfOptimizer();
std::vector<KeyInfo> keysOfSchedule();
std::vector<KeyInfo> keysOfDevices();
std::vector<KeyInfo> keysOfRun(); // and of checkpoints, memory and trace

inline const Experiment& defaultExperiment()
{
    static const Experiment experiment;
    return experiment;
}

template <typename Section, typename Value>
auto field(Section Experiment::*section, Value Section::*value)
{
    return [ section, value ](auto& e) -> auto&
    {
        return e.*section.*value;
    };
}

template <typename Value> constexpr KeyEditor editorOf()
{
    if (std::is_same_v<Value, bool>)
        return KeyEditor::Switch;
    if (std::is_same_v<Value, double>)
        return KeyEditor::Number;
    if (std::is_same_v<Value, Span>)
        return KeyEditor::Span;
    const bool isCount =
        std::is_integral_v<
            Value> || std::is_same_v<Value, std::optional<std::int64_t>> || std::is_same_v<Value, HeldOut> || std::is_same_v<Value, std::optional<PictureSize>>;
    return isCount ? KeyEditor::Count : KeyEditor::Words;
}

template <typename At> auto differsFromDefault(At at)
{
    return [at](const Experiment& e) { return !(at(e) == at(defaultExperiment())); };
}

template <typename At, typename Value> KeyValue value(At at, const Range<Value>& range)
{
    constexpr bool kIsText = std::is_same_v<Value, std::string>;
    constexpr bool kTakesText = kIsText
        || std::is_same_v<Value,
            Span> || std::is_same_v<Value, TimeSpan> || std::is_same_v<Value, ChunkSize> || std::is_same_v<Value, Normalization> || std::is_same_v<Value, std::optional<Bytes>> || std::is_same_v<Value, std::optional<Span>>;
    return {
        .get = [at](const Experiment& e) { return settingValue(asWritten(at(e))); },
        .toml = [at](const Experiment& e) { return tomlOf(at(e)); },
        .set = [at](Experiment& e, const WrittenValue& written) { return read(written, at(e)); },
        .inRange = [at, holds = range.holds](const Experiment& e) { return holds(at(e)); },
        .isSet = differsFromDefault(at),
        .allowed = allowedBy(range),
        .fallback = tomlOf(at(defaultExperiment())),
        .editor = editorOf<Value>(),
        .takesText = kTakesText,
        .isPlainText = kIsText,
    };
}

template <typename At> KeyValue yesOrNo(At at)
{
    return value(
        at, Range<bool> { "yes_or_no", "true or false", [](const bool&) { return true; } });
}

template <typename At> KeyValue folder(At at)
{
    KeyValue made = value(at, kFolder);
    made.editor = KeyEditor::Folder;
    return made;
}

// A recipe without the key makes a batch number Unset, which is not the value that the key has by
// default: `fallback`.
template <typename At>
KeyValue batchNumber(At at, SettingValue fallback, const Range<BatchNumber>& range = kBatchNumber)
{
    const auto get = [at, fallback](const Experiment& e) {
        const BatchNumber& number = at(e);
        if (number.kind == BatchNumber::Kind::Unset)
            return fallback;
        return number.isGiven() ? SettingValue(number.value)
                                : SettingValue(std::string(number.isAll() ? "all" : "auto"));
    };
    return {
        .get = get,
        .toml = [get](const Experiment& e) { return tomlText(get(e)); },
        .set = [at](Experiment& e, const WrittenValue& written) { return read(written, at(e)); },
        .inRange = [at, holds = range.holds](const Experiment& e) { return holds(at(e)); },
        .isSet = [at](const Experiment& e) { return at(e).kind != BatchNumber::Kind::Unset; },
        .allowed = allowedBy(range),
        .fallback = tomlText(fallback),
        .editor = KeyEditor::BatchNumber,
    };
}

inline Message oneOfChoices(const std::vector<KeyChoice>& choices)
{
    std::vector<std::string> words;
    words.reserve(choices.size());
    for (const KeyChoice& choice : choices)
        words.push_back(choice.value);
    return oneOf(words);
}

// `choices` in the order of the enumeration's values.
template <typename At> KeyValue choice(At at, const std::vector<KeyChoice>& choices)
{
    const auto wordOf = [at, choices](const Experiment& e) -> SettingValue {
        return choices.at(static_cast<std::size_t>(at(e))).value;
    };
    const auto assign = [at, choices](Experiment& e, const WrittenValue& written) {
        std::string text;
        if (!read(written, text))
            return false;
        const auto found = std::find_if(choices.begin(), choices.end(),
            [&](const KeyChoice& choice) { return choice.value == text; });
        if (found == choices.end())
            return false;
        at(e) = static_cast<std::decay_t<decltype(at(e))>>(found - choices.begin());
        return true;
    };
    return {
        .get = wordOf,
        .toml = [wordOf](const Experiment& e) { return tomlText(wordOf(e)); },
        .set = assign,
        .inRange = [](const Experiment&) { return true; },
        .isSet = differsFromDefault(at),
        .allowed = oneOfChoices(choices),
        .fallback = tomlText(wordOf(defaultExperiment())),
        .choices = choices,
        .editor = KeyEditor::Choice,
        .takesText = true,
    };
}

// Several groups of rows, one after the other.
inline std::vector<KeyInfo> together(std::initializer_list<std::vector<KeyInfo>> groups)
{
    std::vector<KeyInfo> keys;
    for (const std::vector<KeyInfo>& group : groups)
        keys.insert(keys.end(), group.begin(), group.end());
    return keys;
}

// A group of rows with common properties, which `set` writes into each.
template <typename Set> std::vector<KeyInfo> sharing(std::vector<KeyInfo> keys, const Set& set)
{
    std::for_each(keys.begin(), keys.end(), set);
    return keys;
}

inline void fold(KeyInfo& key)
{
    key.isAdvanced = true;
}

// The number is typed, so the row stays.
inline KeyCondition onSeveralDevices()
{
    return { [](const Experiment& e) {
                const BatchNumber& devices = e.batch.devices;
                return devices.kind == BatchNumber::Kind::Auto || devices.isAll()
                    || devices.value > 1;
            },
        Message("setting.only_on_devices"), KeyCondition::Row::Greyed };
}

// The choices of a registry's rows.
template <typename Info> std::vector<KeyChoice> choicesOf(const std::vector<Info>& table)
{
    std::vector<KeyChoice> choices;
    choices.reserve(table.size());
    for (const Info& info : table)
        choices.push_back({ info.word, info.title });
    return choices;
}

} // namespace accrue
