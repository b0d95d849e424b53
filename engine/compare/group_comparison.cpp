// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/group_comparison.h"

#include "engine/base/sentences.h"
#include "engine/report/comparison_rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace accrue {
namespace {

using Entry = GroupNumbers::Entry;

constexpr std::int64_t kMostPairs = 1000; // that are worth naming

void leaveOut(GroupNumbers& group, const Message& why)
{
    const auto known = std::find_if(group.leftOut.begin(), group.leftOut.end(),
        [&](const auto& each) { return each.first == why; });
    if (known != group.leftOut.end())
        ++known->second;
    else
        group.leftOut.emplace_back(why, 1);
}

// Repeats of one run become one entry.
std::vector<Entry> withoutRepeats(std::vector<Entry> entries)
{
    std::stable_sort(entries.begin(), entries.end(),
        [](const Entry& one, const Entry& other) { return one.place < other.place; });
    std::vector<Entry> merged;
    for (auto first = entries.begin(); first != entries.end();) {
        const auto end = std::find_if(
            first, entries.end(), [&](const Entry& each) { return each.place != first->place; });
        Entry one = *first;
        std::vector<double> values;
        for (auto each = first; each != end; ++each) {
            values.push_back(each->value);
            one.endedEarly = one.endedEarly || each->endedEarly;
        }
        one.value = meanInterval(values).mean;
        merged.push_back(one);
        first = end;
    }
    return merged;
}

GroupNumbers numbersOf(const RunGroup& group, const std::vector<RunRecord>& runs,
    const RunGroups& groups, const std::vector<std::optional<double>>& values)
{
    GroupNumbers found;
    for (const std::size_t i : group.runs) {
        if (!countsInGroup(runs[i]))
            leaveOut(found, Message::plain(conditionText(runs[i])));
        else if (!values[i])
            leaveOut(found, Message("groups.without_value"));
        else
            found.entries.push_back(
                { groups.places[i], groups.seeds[i], *values[i], endedEarly(runs[i]) });
    }
    found.endedEarly = std::count_if(found.entries.begin(), found.entries.end(),
        [](const Entry& each) { return each.endedEarly; });
    found.entries = withoutRepeats(std::move(found.entries));
    std::vector<double> all;
    for (const Entry& entry : found.entries)
        all.push_back(entry.value);
    found.mean = meanInterval(all);
    return found;
}

// ---- the sentence ------------------------------------------------------------------------------

// "5 seeds", "15 pairs of runs"
Message countOf(const GroupComparison& made, std::int64_t count)
{
    return made.overSeeds ? Message("groups.seeds", { { "count", count } })
                          : Message("groups.pairs", { { "count", count } });
}

// "5 seeds", "5 seeds (15 pairs of runs)"
Message countWithPairs(const GroupComparison& made)
{
    const std::int64_t count = made.test->difference.count;
    if (made.pairs == count)
        return countOf(made, count);
    return Message("groups.seeds_of_pairs", { { "seeds", count }, { "count", made.pairs } });
}

// "GroupNorm against BatchNorm at b = 4": what differs, then what is the same in both.
Message subjectOf(const RunGroup& one, const RunGroup& other)
{
    std::vector<RunGroupKey::Value> ofOne;
    std::vector<RunGroupKey::Value> ofOther;
    std::vector<RunGroupKey::Value> ofBoth;
    for (std::size_t i = 0; i < one.values.size(); ++i) {
        if (one.values[i] == other.values[i]) {
            ofBoth.push_back(one.values[i]);
            continue;
        }
        ofOne.push_back(one.values[i]);
        ofOther.push_back(other.values[i]);
    }
    if (ofBoth.empty())
        return Message("groups.against",
            { { "one", nameOfValues(ofOne) }, { "other", nameOfValues(ofOther) } });
    return Message("groups.against_at",
        { { "one", nameOfValues(ofOne) }, { "other", nameOfValues(ofOther) },
            { "place", nameOfValues(ofBoth) } });
}

// The entries of both groups at the places that both have.
struct Pair {
    const Entry* one;
    const Entry* other;
};
std::vector<Pair> pairsOf(const GroupNumbers& one, const GroupNumbers& other)
{
    std::vector<Pair> pairs;
    for (const Entry& entry : one.entries) { // sorted by place, as the other's are
        const auto found = std::lower_bound(other.entries.begin(), other.entries.end(), entry.place,
            [](const Entry& each, const std::string& place) { return each.place < place; });
        if (found != other.entries.end() && found->place == entry.place)
            pairs.push_back({ &entry, &*found });
    }
    return pairs;
}

// A value for each seed, or of each pair where there is one seed.
std::vector<double> differencesOf(const std::vector<Pair>& pairs, bool overSeeds)
{
    std::map<std::string, std::vector<double>> ofPlaces;
    for (const Pair& pair : pairs)
        ofPlaces[overSeeds ? pair.one->seed : pair.one->place].push_back(
            pair.one->value - pair.other->value);
    std::vector<double> differences;
    differences.reserve(ofPlaces.size());
    for (const auto& [place, values] : ofPlaces)
        differences.push_back(meanInterval(values).mean);
    return differences;
}

bool haveOneSeed(const std::vector<Pair>& pairs)
{
    return std::all_of(pairs.begin(), pairs.end(),
        [&](const Pair& pair) { return pair.one->seed == pairs.front().one->seed; });
}

Message whyRefused(const RunGroups& groups, const GroupNumbers& one, const GroupNumbers& other,
    const GroupComparison& made, const RunNumber& number)
{
    const Message subject = subjectOf(groups.groups[made.one], groups.groups[made.other]);
    for (const auto& [numbers, group] :
        { std::pair(&one, made.one), std::pair(&other, made.other) })
        if (numbers->entries.empty())
            return Message("groups.no_values",
                { { "which", subject }, { "group", groups.groups[group].name },
                    { "number", number.title } });
    if (made.pairs == 1)
        return Message("groups.one_pair", { { "which", subject }, { "pair", countOf(made, 1) } });
    return groups.onlySeeds ? Message("groups.no_shared_seed", { { "which", subject } })
                            : Message("groups.no_shared_place", { { "which", subject } });
}

Message whatWouldTell(const GroupComparison& made)
{
    const MeanInterval& difference = made.test->difference;
    const Message pairs = countOf(made, difference.count);
    if (difference.mean == 0)
        return difference.deviation == 0 ? Message("groups.all_equal", { { "pairs", pairs } })
                                         : Message("groups.no_difference", { { "pairs", pairs } });
    if (!made.needed)
        return Message("groups.too_many_needed", { { "pairs", pairs }, { "most", kMostPairs } });
    return Message("groups.more_needed", { { "pairs", pairs }, { "count", *made.needed } });
}

// Settings that differ between the two groups without being keys.
std::vector<std::string> alsoDiffers(const RunGroups& groups, const GroupComparison& made)
{
    const std::size_t one = groups.groups[made.one].runs.front();
    const std::size_t other = groups.groups[made.other].runs.front();
    std::vector<std::string> names;
    for (const RunGroupKey& key : groups.beside)
        if (!(key.values[one] == key.values[other]))
            names.push_back(key.name);
    return names;
}

Message sentenceOf(const RunGroups& groups, const GroupComparison& made, const RunNumber& number)
{
    const MeanInterval& difference = made.test->difference;
    const DifferenceTexts texts =
        differenceTexts(number, difference.mean, difference.low, difference.high);
    Message sentence("groups.difference",
        { { "which", subjectOf(groups.groups[made.one], groups.groups[made.other]) },
            { "difference", texts.difference }, { "low", texts.low }, { "high", texts.high },
            { "pairs", countWithPairs(made) } });
    if (!difference.excludesZero())
        sentence = followedBy(sentence, whatWouldTell(made));
    if (made.unpaired > 0)
        sentence = followedBy(sentence, Message("groups.unpaired", { { "count", made.unpaired } }));
    if (made.endedEarly > 0)
        sentence = followedBy(
            sentence, Message("groups.some_ended_early", { { "count", made.endedEarly } }));
    if (const auto others = alsoDiffers(groups, made); !others.empty())
        sentence =
            followedBy(sentence, Message("groups.also_differ", { { "keys", commaList(others) } }));
    return sentence;
}

} // namespace

bool countsInGroup(const RunRecord& run)
{
    return run.state == RunState::Finished && run.outcome && !isFailure(*run.outcome);
}

bool endedEarly(const RunRecord& run)
{
    return run.early != EarlyEnd::None || run.outcome == RunOutcome::Stopped;
}

std::vector<GroupNumbers> groupNumbers(const std::vector<RunRecord>& runs, const RunGroups& groups,
    const std::vector<std::optional<double>>& values)
{
    std::vector<GroupNumbers> numbers;
    numbers.reserve(groups.groups.size());
    for (const RunGroup& group : groups.groups)
        numbers.push_back(numbersOf(group, runs, groups, values));
    return numbers;
}

GroupComparison compareGroups(const RunGroups& groups, const std::vector<GroupNumbers>& numbers,
    const RunNumber& number, std::size_t one, std::size_t other)
{
    GroupComparison made { one, other };
    const std::vector<Pair> pairs = pairsOf(numbers[one], numbers[other]);
    for (const Pair& pair : pairs)
        made.endedEarly += (pair.one->endedEarly ? 1 : 0) + (pair.other->endedEarly ? 1 : 0);
    made.pairs = static_cast<std::int64_t>(pairs.size());
    made.overSeeds = groups.onlySeeds || !haveOneSeed(pairs);
    const std::size_t all = numbers[one].entries.size() + numbers[other].entries.size();
    made.unpaired = static_cast<std::int64_t>(all - 2 * pairs.size());
    made.test = pairedTest(differencesOf(pairs, made.overSeeds));
    if (!made.test) {
        made.sentence = whyRefused(groups, numbers[one], numbers[other], made, number);
        return made;
    }
    const MeanInterval& difference = made.test->difference;
    if (!difference.excludesZero())
        made.needed = countToExcludeZero(difference.mean, difference.deviation, kMostPairs);
    made.sentence = sentenceOf(groups, made, number);
    return made;
}

std::optional<std::size_t> bestGroup(
    const std::vector<GroupNumbers>& numbers, const RunNumber& number)
{
    if (number.shownAs.better == Better::Neither)
        return std::nullopt;
    const double sign = number.shownAs.better == Better::Higher ? 1 : -1;
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i].mean.count > 0
            && (!best || sign * numbers[i].mean.mean > sign * numbers[*best].mean.mean))
            best = i;
    return best;
}

} // namespace accrue
