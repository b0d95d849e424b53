// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/run_groups.h"

#include "engine/base/error.h"
#include "engine/base/format.h"
#include "engine/base/sentences.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/runs/run_keys.h"
#include "engine/runs/settled_settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace accrue {
namespace {

using Runs = std::vector<RunRecord>;
using Value = RunGroupKey::Value;

// The row of the table of keys for a short name or a dotted key; null: it is no setting.
const KeyInfo* settingNamed(std::string_view name)
{
    if (const KeyInfo* info = findKey(name))
        return info;
    const RunKey* known = findRunKey(name);
    for (const KeyInfo& info : experimentKeys())
        if (known != nullptr && !info.filter.empty() && info.filter == known->name)
            return &info;
    return nullptr;
}

// "norm" of model.norm, "momentum" of optimizer.momentum.
std::string shortNameOf(const std::string& name)
{
    const KeyInfo* info = findKey(name);
    if (info != nullptr && !info->filter.empty())
        return info->filter;
    return name.substr(name.rfind('.') + 1);
}

// The title of a choice, "GroupNorm", if it is a name by itself: "None" and "Digits, built in" are
// not.
Message titleOfChoice(const KeyInfo* info, const std::string& text)
{
    if (info == nullptr || text == "none")
        return {};
    for (const KeyChoice& choice : info->choices)
        if (choice.value == text && choice.title.find(' ') == std::string::npos)
            return Message("key." + info->key + "." + choice.value, choice.title);
    return {};
}

// "mnist" or "mlp" says by itself what it is.
bool isNamedByItself(const KeyInfo* info)
{
    return info != nullptr
        && (info->key == key::dataName || info->key == key::modelName
            || info->key == key::optimizerName);
}

Value named(const std::string& name, std::string text, std::optional<double> number)
{
    Value value { std::move(text), {}, number };
    const KeyInfo* info = settingNamed(name);
    value.shown = titleOfChoice(info, value.text);
    if (!value.shown.empty())
        return value;
    const std::string shown = value.text.empty() ? "–"
        : number                                 ? formatNumber(*number, 6)
                                                 : value.text;
    value.shown = Message::plain(isNamedByItself(info) ? shown : shortNameOf(name) + " = " + shown);
    return value;
}

// Of the words of a state the first one is its name.
std::string wordsOf(const std::string& name, const RunValue& read)
{
    if (name == kTagFilter)
        return commaList(read.words).english();
    return read.words.empty() ? std::string() : read.words.front();
}

Value valueOf(const std::string& name, const RunValue& read)
{
    if (read.number)
        return named(name, exactNumber(*read.number), read.number);
    return named(name, wordsOf(name, read), std::nullopt);
}

Value valueOf(const std::string& name, const std::optional<SettingValue>& setting)
{
    if (!setting)
        return named(name, "", std::nullopt);
    if (const auto* whole = std::get_if<std::int64_t>(&*setting))
        return named(name, exactNumber(static_cast<double>(*whole)), static_cast<double>(*whole));
    if (const auto* real = std::get_if<double>(&*setting))
        return named(name, exactNumber(*real), *real);
    return named(name, shownSetting(*setting), std::nullopt);
}

bool choseThreads(const Runs& runs)
{
    return std::all_of(
        runs.begin(), runs.end(), [](const RunRecord& run) { return !run.experiment.run.threads; });
}

std::vector<RunComparison::Setting> differingSettings(const Runs& runs)
{
    std::vector<RunComparison::Setting> settings = compareRuns(runs, {}).settings;
    std::erase_if(settings, [&](const RunComparison::Setting& each) {
        return !each.differs() || (each.key == key::runThreads && choseThreads(runs));
    });
    return settings;
}

RunGroupKey groupKeyOf(const RunComparison::Setting& setting)
{
    RunGroupKey key { shortNameOf(setting.key) };
    // Two keys may have the same last part.
    const KeyInfo* info = findKey(setting.key);
    if (info == nullptr || info->filter.empty())
        key.name = setting.key;
    for (const auto& value : setting.values)
        key.values.push_back(valueOf(setting.key, value));
    return key;
}

// Every setting in which the runs differ, the seed included.
std::vector<RunGroupKey> keysWithSeed(const Runs& runs)
{
    return groupKeysOf(differingSettings(runs));
}

bool isNamed(const RunGroupKey& key, const char* setting)
{
    return key.name == shortNameOf(setting);
}

// Without N, which follows from b and B.
std::vector<RunGroupKey> withoutSteps(std::vector<RunGroupKey> keys)
{
    const bool follows = std::any_of(keys.begin(), keys.end(), [](const RunGroupKey& key) {
        return isNamed(key, key::batchMicro) || isNamed(key, key::batchEffective);
    });
    if (follows)
        std::erase_if(keys, [](const RunGroupKey& key) { return isNamed(key, key::batchSteps); });
    return keys;
}

bool isSeed(const RunGroupKey& key)
{
    return isNamed(key, key::runSeed);
}

std::vector<RunGroupKey> withoutSeed(std::vector<RunGroupKey> keys)
{
    std::erase_if(keys, isSeed);
    return withoutSteps(std::move(keys));
}

// Numbers before words, ascending; runs without a value last.
bool comesBefore(const Value& one, const Value& other)
{
    if (one.text.empty() != other.text.empty())
        return other.text.empty();
    if (one.number.has_value() != other.number.has_value())
        return one.number.has_value();
    if (one.number)
        return *one.number < *other.number;
    return one.text < other.text;
}

bool comesBefore(const RunGroup& one, const RunGroup& other)
{
    return std::lexicographical_compare(one.values.begin(), one.values.end(), other.values.begin(),
        other.values.end(), [](const Value& a, const Value& b) { return comesBefore(a, b); });
}

std::vector<RunGroup> groupsBy(const std::vector<RunGroupKey>& keys, std::size_t runs)
{
    std::map<std::vector<std::string>, std::size_t> places;
    std::vector<RunGroup> groups;
    for (std::size_t run = 0; run < runs; ++run) {
        std::vector<Value> values;
        std::vector<std::string> texts;
        for (const RunGroupKey& key : keys) {
            values.push_back(key.values[run]);
            texts.push_back(key.values[run].text);
        }
        const auto [place, isNew] = places.emplace(texts, groups.size());
        if (isNew)
            groups.push_back({ values, nameOfValues(values), {} });
        groups[place->second].runs.push_back(run);
    }
    std::stable_sort(groups.begin(), groups.end(),
        [](const RunGroup& one, const RunGroup& other) { return comesBefore(one, other); });
    return groups;
}

bool differsWithin(const RunGroupKey& key, const RunGroup& group)
{
    return std::any_of(group.runs.begin(), group.runs.end(),
        [&](std::size_t run) { return !(key.values[run] == key.values[group.runs.front()]); });
}

bool isOneOf(const std::vector<RunGroupKey>& keys, const RunGroupKey& key)
{
    const KeyInfo* info = settingNamed(key.name);
    return std::any_of(keys.begin(), keys.end(), [&](const RunGroupKey& other) {
        return other.name == key.name || (info != nullptr && settingNamed(other.name) == info);
    });
}

// Batch numbers follow from each other, so that one that is a key explains the others.
bool followsFrom(const std::vector<RunGroupKey>& keys, const RunGroupKey& key)
{
    const std::array<std::string, 3> numbers { shortNameOf(key::batchMicro),
        shortNameOf(key::batchSteps), shortNameOf(key::batchEffective) };
    const auto isNumber = [&](const RunGroupKey& each) {
        const KeyInfo* info = settingNamed(each.name);
        return info != nullptr
            && std::find(numbers.begin(), numbers.end(), info->filter) != numbers.end();
    };
    return isNumber(key) && std::any_of(keys.begin(), keys.end(), isNumber);
}

// `keys`: those of the groups; `others`: the settings in which the runs differ.
void findPlaces(RunGroups& made, const Runs& runs, const std::vector<RunGroupKey>& keys,
    std::vector<RunGroupKey> others)
{
    const RunReading seed = readingOf(key::runSeed);
    for (const RunRecord& run : runs)
        made.seeds.push_back(valueOf(key::runSeed, seed(run)).text);
    made.places = made.seeds;
    for (RunGroupKey& key : others) {
        if (isOneOf(keys, key))
            continue;
        if (std::any_of(made.groups.begin(), made.groups.end(),
                [&](const RunGroup& group) { return differsWithin(key, group); })) {
            made.onlySeeds = false;
            for (std::size_t run = 0; run < runs.size(); ++run)
                made.places[run] += ", " + key.values[run].shown.english();
        } else if (!followsFrom(keys, key)) {
            made.beside.push_back(std::move(key));
        }
    }
}

} // namespace

Message nameOfValues(const std::vector<RunGroupKey::Value>& values)
{
    const bool hasAny = std::any_of(
        values.begin(), values.end(), [](const Value& value) { return !value.text.empty(); });
    std::vector<Message> shown;
    for (const Value& value : values)
        if (!hasAny || !value.text.empty())
            shown.push_back(value.shown);
    return clausesOf(shown);
}

std::vector<RunGroupKey> groupKeysOf(const std::vector<RunComparison::Setting>& settings)
{
    std::vector<RunGroupKey> keys;
    keys.reserve(settings.size());
    for (const RunComparison::Setting& setting : settings)
        keys.push_back(groupKeyOf(setting));
    return keys;
}

RunGroupKey runGroupKey(const std::vector<RunRecord>& runs, std::string_view name)
{
    const RunReading reading = readingOf(name, keysOfOthers(runs));
    if (!reading)
        throw InputError(unknownRunKey(name));
    const RunKey* known = findRunKey(name);
    RunGroupKey key { known != nullptr ? known->name : std::string(name) };
    for (const RunRecord& run : runs)
        key.values.push_back(valueOf(key.name, reading(run)));
    return key;
}

std::vector<RunGroupKey> differingKeys(const std::vector<RunRecord>& runs)
{
    return withoutSeed(keysWithSeed(runs));
}

RunGroups groupRuns(const std::vector<RunRecord>& runs, const std::vector<std::string>& keys)
{
    const std::vector<RunGroupKey> differing = differingKeys(runs);
    std::vector<RunGroupKey> used = keys.empty() ? differing : std::vector<RunGroupKey> {};
    for (const std::string& name : keys)
        if (RunGroupKey key = runGroupKey(runs, name); !isOneOf(used, key))
            used.push_back(std::move(key));
    RunGroups made;
    for (const RunGroupKey& key : used)
        made.keys.push_back(key.name);
    made.groups = groupsBy(used, runs.size());
    findPlaces(made, runs, used, differing);
    return made;
}

std::vector<std::size_t> shownPositions(
    const std::vector<RunRecord>& runs, const std::vector<RunId>& hidden)
{
    std::vector<std::size_t> shown;
    for (std::size_t run = 0; run < runs.size(); ++run)
        if (std::find(hidden.begin(), hidden.end(), runs[run].id) == hidden.end())
            shown.push_back(run);
    return shown;
}

void keepRuns(RunGroups& groups, const std::vector<std::size_t>& kept)
{
    for (RunGroup& group : groups.groups)
        std::erase_if(group.runs,
            [&](std::size_t run) { return !std::binary_search(kept.begin(), kept.end(), run); });
    std::erase_if(groups.groups, [](const RunGroup& group) { return group.runs.empty(); });
}

std::vector<ImportanceKey> importanceKeys(const std::vector<RunRecord>& runs)
{
    std::vector<ImportanceKey> keys;
    for (const RunGroupKey& key : keysWithSeed(runs)) {
        keys.push_back({ key.name });
        for (const Value& value : key.values)
            keys.back().values.push_back(
                { value.number ? formatNumber(*value.number, 6) : value.text, value.number });
    }
    return keys;
}

} // namespace accrue
