// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/group_summary.h"

#include "engine/base/error.h"
#include "engine/base/sentences.h"
#include "engine/base/shown_text.h"
#include "engine/compare/key_effects.h"
#include "engine/compare/number_columns.h"
#include "engine/events/json_list.h"
#include "engine/events/json_value.h"

#include <algorithm>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

namespace accrue {
namespace {

using Json = nlohmann::ordered_json;
using Value = RunGroupKey::Value;

constexpr std::size_t kManyComparisons = 5;

std::vector<std::optional<double>> valuesOf(const RunNumber& number,
    const std::vector<RunRecord>& runs, const std::vector<RunSummaries>& summaries)
{
    std::vector<std::optional<double>> values;
    values.reserve(runs.size());
    for (const RunRecord& run : runs)
        values.push_back(number.value(run, summariesOf(summaries, run.id)));
    return values;
}

// ---- the baseline ------------------------------------------------------------------------------

struct Term {
    std::size_t key; // position among the keys of the groups
    std::string value;
};

std::vector<std::string> wordsOf(std::string_view text)
{
    std::vector<std::string> words;
    std::string word;
    for (const char c : std::string(text) + ' ') {
        if (c != ' ' && c != ',') {
            word += c;
        } else if (!word.empty()) {
            words.push_back(std::exchange(word, {}));
        }
    }
    return words;
}

bool hasValue(const Value& value, const std::string& text)
{
    return value.text == text || value.shown.english() == text || value.shown.text() == text;
}

Term termOf(const RunGroups& groups, const std::string& word)
{
    const std::size_t sign = word.find('=');
    if (sign == std::string::npos)
        throw InputError(Message("groups.wrong_baseline", { { "text", shortened(word) } }));
    const std::string key = word.substr(0, sign);
    const auto found = std::find(groups.keys.begin(), groups.keys.end(), key);
    if (found == groups.keys.end())
        throw InputError(Message("groups.baseline_key",
            { { "key", shortened(key) }, { "keys", commaList(groups.keys) } }));
    const Term term { static_cast<std::size_t>(found - groups.keys.begin()),
        word.substr(sign + 1) };
    std::vector<std::string> known;
    for (const RunGroup& group : groups.groups)
        known.push_back(group.values[term.key].text);
    known.erase(std::unique(known.begin(), known.end()), known.end());
    const bool isKnown = std::any_of(groups.groups.begin(), groups.groups.end(),
        [&](const RunGroup& group) { return hasValue(group.values[term.key], term.value); });
    if (!isKnown)
        throw InputError(Message("groups.baseline_value",
            { { "key", key }, { "value", shortened(term.value) },
                { "values", commaList(known) } }));
    return term;
}

// The group with the values of the terms, and otherwise with those of `group`; empty: there is
// none.
std::optional<std::size_t> counterpart(
    const RunGroups& groups, const RunGroup& group, const std::vector<Term>& terms)
{
    const auto isIt = [&](const RunGroup& other) {
        for (std::size_t key = 0; key < group.values.size(); ++key) {
            const auto term = std::find_if(
                terms.begin(), terms.end(), [&](const Term& each) { return each.key == key; });
            if (term != terms.end() ? !hasValue(other.values[key], term->value)
                                    : !(other.values[key] == group.values[key]))
                return false;
        }
        return true;
    };
    const auto found = std::find_if(groups.groups.begin(), groups.groups.end(), isIt);
    if (found == groups.groups.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - groups.groups.begin());
}

std::optional<std::size_t> groupOf(const GroupSummary& made, std::optional<RunId> run)
{
    for (std::size_t i = 0; run && i < made.groups.groups.size(); ++i)
        for (const std::size_t member : made.groups.groups[i].runs)
            if (made.runs[member].id == *run)
                return i;
    return std::nullopt;
}

void compareAll(GroupSummary& made, const SummaryRequest& request)
{
    const std::size_t usual = groupOf(made, request.baselineRun).value_or(made.best.value_or(0));
    std::vector<Term> terms;
    for (const std::string& word : wordsOf(request.baseline))
        terms.push_back(termOf(made.groups, word));
    for (std::size_t i = 0; i < made.groups.groups.size(); ++i) {
        const RunGroup& group = made.groups.groups[i];
        const auto other =
            terms.empty() ? std::optional(usual) : counterpart(made.groups, group, terms);
        if (!other)
            made.missing.push_back(Message("groups.no_baseline", { { "group", group.name } }));
        else if (*other != i)
            made.comparisons.push_back(
                compareGroups(made.groups, made.numbers, made.number, i, *other));
    }
}

// ---- JSON --------------------------------------------------------------------------------------

Json valuesJson(const GroupSummary& summary, const RunGroup& group)
{
    Json values = Json::object();
    for (std::size_t key = 0; key < summary.groups.keys.size(); ++key) {
        const Value& value = group.values[key];
        values[summary.groups.keys[key]] = value.number ? jsonOf(*value.number)
            : value.text.empty()                        ? Json()
                                                        : Json(value.text);
    }
    return values;
}

Json jsonOfMean(const MeanInterval& mean)
{
    const bool isKnown = mean.count > 0;
    const bool hasInterval = mean.count > 1;
    return { { "n", mean.count }, { "mean", isKnown ? jsonOf(mean.mean) : Json() },
        { "deviation", hasInterval ? jsonOf(mean.deviation) : Json() },
        { "low", hasInterval ? jsonOf(mean.low) : Json() },
        { "high", hasInterval ? jsonOf(mean.high) : Json() } };
}

Json jsonOfGroup(const GroupSummary& summary, std::size_t i)
{
    const RunGroup& group = summary.groups.groups[i];
    const GroupNumbers& numbers = summary.numbers[i];
    std::int64_t leftOut = 0;
    for (const auto& [why, count] : numbers.leftOut)
        leftOut += count;
    Json json { { "name", group.name.english() }, { "values", valuesJson(summary, group) },
        { "runs", jsonList(group.runs, [&](std::size_t run) {
             return numberOf(summary.runs[run].id);
         }) } };
    json.update(jsonOfMean(numbers.mean));
    json["ended_early"] = numbers.endedEarly;
    json["left_out"] = leftOut;
    json["best"] = summary.best == i;
    return json;
}

Json jsonOfComparison(const GroupComparison& made)
{
    Json json { { "group", made.one }, { "against", made.other } };
    json.update(made.test ? jsonOfMean(made.test->difference) : jsonOfMean({}));
    json["t"] = made.test ? jsonOf(made.test->t) : Json();
    json["p"] = made.test ? jsonOf(made.test->p) : Json();
    json["pairs"] = made.pairs;
    json["needed"] = made.needed ? Json(*made.needed) : Json();
    json["unpaired"] = made.unpaired;
    json["ended_early"] = made.endedEarly;
    json["sentence"] = made.sentence.english();
    return json;
}

Json jsonOfImportance(const KeyImportance& each)
{
    return { { "key", each.key }, { "n", each.effect.count }, { "groups", each.groups },
        { "ranges", each.isRanges }, { "eta_squared", jsonOf(each.effect.eta) },
        { "omega_squared", jsonOf(each.effect.omega) }, { "low", jsonOf(each.effect.low) },
        { "high", jsonOf(each.effect.high) }, { "p", jsonOf(each.effect.p) },
        { "confounded", each.confounded } };
}

} // namespace

GroupSummary summarize(const std::vector<RunRecord>& runs,
    const std::vector<RunSummaries>& summaries, const SummaryRequest& request)
{
    std::vector<std::vector<MetricSummary>> logged;
    logged.reserve(summaries.size());
    for (const RunSummaries& each : summaries)
        logged.push_back(each.metrics);
    GroupSummary made { runs, runNumber(request.number, logged), groupRuns(runs, request.keys), {},
        {}, {}, {}, {}, {}, {} };
    const std::vector<std::size_t> shown = shownPositions(runs, request.hidden);
    keepRuns(made.groups, shown);
    auto values = valuesOf(made.number, runs, summaries);
    for (std::size_t run = 0; run < runs.size(); ++run)
        if (!std::binary_search(shown.begin(), shown.end(), run))
            values[run] = std::nullopt;
    made.numbers = groupNumbers(runs, made.groups, values);
    made.best = bestGroup(made.numbers, made.number);
    compareAll(made, request);
    if (made.comparisons.size() > 1
        && std::all_of(made.numbers.begin(), made.numbers.end(),
            [](const GroupNumbers& each) { return each.mean.count < 2; }))
        made.nothingToTell = Message("groups.single_runs");
    KeyEffects effects = keyEffects(runs, values, made.number);
    for (const Message& each : accrue::sentencesOf(effects))
        made.explained = followedBy(made.explained, each);
    made.importance = std::move(effects.keys);
    return made;
}

std::string intervalText(const RunNumber& number, const MeanInterval& mean)
{
    if (mean.count == 0)
        return "–";
    const std::string text = numberText(number, mean.mean);
    return mean.count < 2 ? text : text + " ± " + halfText(number, mean.half());
}

Message notesOf(const GroupNumbers& numbers)
{
    std::vector<Message> parts;
    if (numbers.endedEarly > 0)
        parts.push_back(Message("groups.ended_early", { { "count", numbers.endedEarly } }));
    for (const auto& [why, count] : numbers.leftOut)
        parts.push_back(Message("groups.left_out", { { "count", count }, { "why", why } }));
    return clausesOf(parts);
}

std::vector<Message> sentencesOf(const GroupSummary& summary)
{
    if (!summary.nothingToTell.empty())
        return { summary.nothingToTell };
    std::vector<Message> sentences;
    for (const GroupComparison& each : summary.comparisons)
        sentences.push_back(each.sentence);
    sentences.insert(sentences.end(), summary.missing.begin(), summary.missing.end());
    return sentences;
}

Message warningOf(const GroupSummary& summary)
{
    const auto tested = std::count_if(summary.comparisons.begin(), summary.comparisons.end(),
        [](const GroupComparison& each) { return each.test.has_value(); });
    return static_cast<std::size_t>(tested) < kManyComparisons
        ? Message()
        : Message("groups.many_comparisons", { { "count", tested } });
}

Message confoundingOf(const KeyImportance& importance)
{
    return importance.confounded.empty()
        ? Message()
        : Message("groups.confounded", { { "keys", commaList(importance.confounded) } });
}

Json jsonOf(const GroupSummary& summary)
{
    Json groups = Json::array();
    for (std::size_t i = 0; i < summary.groups.groups.size(); ++i)
        groups.push_back(jsonOfGroup(summary, i));
    return { { "metric", summary.number.name }, { "by", summary.groups.keys }, { "groups", groups },
        { "comparisons", jsonList(summary.comparisons, jsonOfComparison) },
        { "importance", jsonList(summary.importance, jsonOfImportance) },
        { "explained", summary.explained.english() } };
}

} // namespace accrue
