// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/importance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace accrue {
namespace {

constexpr double kTogether = 0.8; // Cramér's V from which two keys move together
constexpr std::size_t kMostRanges = 4;

using Value = ImportanceKey::Value;

struct Grouping {
    std::vector<std::size_t> groupOf; // of each run
    std::vector<std::string> groups;
    bool isRanges = false;
};

bool isNumeric(const std::vector<Value>& values)
{
    return std::all_of(values.begin(), values.end(),
        [](const Value& value) { return value.number && std::isfinite(*value.number); });
}

// By ascending numbers, or by the order in which the texts come first.
Grouping byValue(const std::vector<Value>& values)
{
    std::vector<Value> order;
    const auto find = [&order](const Value& value) {
        return std::find_if(order.begin(), order.end(),
            [&](const Value& other) { return other.text == value.text; });
    };
    for (const Value& value : values)
        if (find(value) == order.end())
            order.push_back(value);
    if (isNumeric(values))
        std::stable_sort(order.begin(), order.end(),
            [](const Value& one, const Value& other) { return *one.number < *other.number; });
    Grouping grouping;
    for (const Value& value : order)
        grouping.groups.push_back(value.text);
    for (const Value& value : values)
        grouping.groupOf.push_back(static_cast<std::size_t>(find(value) - order.begin()));
    return grouping;
}

// Groups of neighbouring numbers that have about as many runs each. Equal numbers stay together.
Grouping byRange(const std::vector<Value>& values)
{
    const std::size_t ranges = std::clamp<std::size_t>(values.size() / 3, 2, kMostRanges);
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t { 0 });
    std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
        return *values[one].number < *values[other].number;
    });
    Grouping grouping { std::vector<std::size_t>(values.size()), {}, true };
    std::string first;
    std::size_t filled = 0; // ranges that are complete
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Value& value = values[order[i]];
        if (first.empty())
            first = value.text;
        grouping.groupOf[order[i]] = grouping.groups.size();
        const bool isLast = i + 1 == order.size();
        const bool isEnd = (i + 1) * ranges >= (filled + 1) * order.size();
        if (isLast || (isEnd && *values[order[i + 1]].number != *value.number)) {
            grouping.groups.push_back(first == value.text ? first : first + " – " + value.text);
            filled = (i + 1) * ranges / order.size();
            first.clear();
        }
    }
    return grouping;
}

Grouping groupingOf(const std::vector<Value>& values)
{
    Grouping grouping = byValue(values);
    const bool isScattered = grouping.groups.size() * 2 > values.size();
    return isScattered && values.size() >= 4 && isNumeric(values) ? byRange(values) : grouping;
}

template <typename Element>
std::vector<Element> kept(const std::vector<Element>& all, const std::vector<double>& values)
{
    std::vector<Element> some;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::isfinite(values[i]))
            some.push_back(all[i]);
    return some;
}

// Descending; one that is unknown is the last.
double rankOf(double share)
{
    return std::isfinite(share) ? -share : 1;
}

bool comesFirst(const KeyImportance& one, const KeyImportance& other)
{
    const double difference = rankOf(one.effect.omega) - rankOf(other.effect.omega);
    return difference != 0 ? difference < 0 : rankOf(one.effect.eta) < rankOf(other.effect.eta);
}

} // namespace

std::vector<KeyImportance> importanceOf(
    const std::vector<double>& values, const std::vector<ImportanceKey>& keys)
{
    std::vector<KeyImportance> found;
    std::vector<Grouping> groupings;
    for (const ImportanceKey& key : keys) {
        Grouping grouping = groupingOf(kept(key.values, values));
        if (grouping.groups.size() < 2)
            continue;
        found.push_back({ key.name, oneWayEffect(kept(values, values), grouping.groupOf),
            grouping.groups, grouping.groupOf, grouping.isRanges });
        groupings.push_back(std::move(grouping));
    }
    for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t j = 0; j < found.size(); ++j)
            if (i != j && cramersV(groupings[i].groupOf, groupings[j].groupOf) >= kTogether)
                found[i].confounded.push_back(found[j].key);
    std::stable_sort(found.begin(), found.end(), comesFirst);
    return found;
}

} // namespace accrue
