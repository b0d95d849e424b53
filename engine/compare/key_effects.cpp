// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/key_effects.h"

#include "engine/base/format.h"
#include "engine/base/sentences.h"
#include "engine/compare/run_groups.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace accrue {
namespace {

constexpr double kChance = 0.05; // p from which chance alone would explain as much too often

// Two different numbers of one range are not one run that was repeated.
void tellApart(RunGroups& groups, const KeyEffects& effects, const std::string& key)
{
    const RunGroupKey values = runGroupKey(effects.runs, key);
    for (std::size_t run = 0; run < groups.places.size(); ++run)
        groups.places[run] += ", " + values.values[run].text;
}

std::vector<std::optional<double>> known(const std::vector<double>& values)
{
    return { values.begin(), values.end() };
}

bool areEqual(const std::vector<double>& values)
{
    return std::all_of(
        values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

std::int64_t countOf(const KeyEffects& effects)
{
    return static_cast<std::int64_t>(effects.values.size());
}

// Empty: a share of the variance is known for a key.
Message whyNothing(const KeyEffects& effects)
{
    const Message& number = effects.number.title;
    if (effects.values.empty())
        return Message("effects.no_values", { { "number", number } });
    if (effects.values.size() == 1)
        return Message("effects.one_run", { { "number", number } });
    if (effects.keys.empty())
        return Message("effects.no_keys", { { "number", number }, { "count", countOf(effects) } });
    if (areEqual(effects.values))
        return Message(
            "effects.all_equal", { { "number", number }, { "count", countOf(effects) } });
    const bool anyKnown = std::any_of(effects.keys.begin(), effects.keys.end(),
        [](const KeyImportance& each) { return std::isfinite(each.effect.omega); });
    return anyKnown ? Message() : Message("effects.too_few");
}

std::string exact(double value)
{
    return std::isfinite(value) ? exactNumber(value) : std::string();
}

std::vector<std::string> lineOf(const KeyImportance& key)
{
    const OneWayEffect& effect = key.effect;
    return { key.key, "", std::to_string(effect.count), std::to_string(effect.groups),
        exact(effect.omega), exact(effect.eta), exact(effect.low), exact(effect.high),
        exact(effect.p), "", "", "", commaList(key.confounded).english() };
}

std::vector<std::string> lineOf(const KeyImportance& key, const KeyGroup& group)
{
    const MeanInterval& mean = group.numbers.mean;
    const bool isKnown = mean.count > 1;
    return { key.key, group.name, std::to_string(mean.count), "", "", "", "", "", "",
        exact(mean.mean), isKnown ? exact(mean.low) : "", isKnown ? exact(mean.high) : "", "" };
}

} // namespace

KeyEffects keyEffects(const std::vector<RunRecord>& runs,
    const std::vector<std::optional<double>>& values, const RunNumber& number)
{
    KeyEffects effects { number };
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (values[i] && countsInGroup(runs[i])) {
            effects.runs.push_back(runs[i]);
            effects.values.push_back(*values[i]);
        }
    effects.keys = importanceOf(effects.values, importanceKeys(effects.runs));
    return effects;
}

std::vector<KeyGroup> groupsOf(const KeyEffects& effects, const KeyImportance& key)
{
    RunGroups groups = groupRuns(effects.runs, { key.key });
    groups.groups.assign(key.groups.size(), {});
    for (std::size_t run = 0; run < effects.runs.size(); ++run)
        groups.groups[key.groupOf[run]].runs.push_back(run);
    if (key.isRanges)
        tellApart(groups, effects, key.key);
    std::vector<GroupNumbers> numbers = groupNumbers(effects.runs, groups, known(effects.values));
    std::vector<KeyGroup> made;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        made.push_back({ key.groups[i], std::move(numbers[i]) });
    return made;
}

std::vector<Message> sentencesOf(const KeyEffects& effects)
{
    if (const Message why = whyNothing(effects); !why.empty())
        return { why };
    const KeyImportance& first = effects.keys.front();
    if (first.effect.omega <= 0)
        return { Message("effects.nothing",
            { { "number", effects.number.title }, { "count", countOf(effects) } }) };
    std::vector<Message> sentences { Message("effects.explains",
        { { "key", first.key }, { "share", shareText(first.effect.omega, 2) },
            { "number", effects.number.title }, { "count", first.effect.count } }) };
    if (first.effect.p >= kChance)
        sentences.push_back(Message("effects.may_be_chance"));
    if (!first.confounded.empty())
        sentences.push_back(
            Message("effects.confounded", { { "keys", commaList(first.confounded) } }));
    return sentences;
}

std::string shareText(double share, int digits)
{
    if (!std::isfinite(share))
        return "–";
    // Two digits of 99.6 would be 1e+02.
    return formatNumber(100 * share, share > 0.99 ? std::max(digits, 3) : digits) + " %";
}

std::vector<std::vector<std::string>> effectTable(
    const KeyEffects& effects, const KeyImportance* chosen)
{
    if (effects.keys.empty())
        return {};
    std::vector<std::vector<std::string>> table { { "key", "group", "n", "groups", "omega_squared",
        "eta_squared", "eta_low", "eta_high", "p", "mean", "mean_low", "mean_high",
        "confounded" } };
    for (const KeyImportance& key : effects.keys)
        table.push_back(lineOf(key));
    if (chosen != nullptr)
        for (const KeyGroup& group : groupsOf(effects, *chosen))
            table.push_back(lineOf(*chosen, group));
    return table;
}

} // namespace accrue
