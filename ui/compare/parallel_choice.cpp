// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/parallel_choice.h"

#include <QJsonArray>

#include "engine/compare/run_groups.h"
#include "engine/runs/run_keys.h"
#include "ui/models/key_values.h"
#include "ui/models/key_words.h"
#include "ui/relations/number_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace accrue {

namespace {

using Kind = NumberColumn::Kind;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::set<std::string> namesOf(const std::vector<RunGroupKey>& keys)
{
    std::set<std::string> names;
    for (const RunGroupKey& key : keys)
        names.insert(key.name);
    return names;
}

// What a choice is called in the form.
QString titleOfWord(const std::string& key, const std::string& word)
{
    if (const KeyInfo* const info = findKey(key))
        for (const KeyChoice& choice : info->choices)
            if (choice.value == word)
                return QString::fromStdString(titleOf(*info, choice));
    return QString::fromStdString(word);
}

ParallelAxis axisOfWords(const std::string& name, const RunGroupKey& key)
{
    std::set<std::string> texts;
    for (const RunGroupKey::Value& value : key.values)
        if (!value.text.empty())
            texts.insert(value.text);
    ParallelAxis axis { name, keyLabel(name) };
    for (const std::string& text : texts) {
        axis.categories.append(QString::fromStdString(text));
        axis.titles.append(titleOfWord(name, text));
    }
    for (const RunGroupKey::Value& value : key.values)
        axis.values.push_back(value.text.empty()
                ? kNone
                : static_cast<double>(std::distance(texts.begin(), texts.find(value.text))));
    return axis;
}

ParallelAxis axisOf(const NumberColumn& column)
{
    ParallelAxis axis { column.number.name, titleOf(column) };
    axis.text = formatterOf(column);
    axis.ticks = ticksOf(column);
    axis.isLogarithmic = column.kind == Kind::Setting && isSpreadByFactors(column);
    for (const std::optional<double>& value : column.values)
        axis.values.push_back(value.value_or(kNone));
    return axis;
}

// In the order of docs/recipes.md; numbers from the one catalogue of them.
void addSettings(std::vector<AxisChoice>& choices, const std::vector<RunRecord>& runs,
    const std::vector<NumberColumn>& numbers)
{
    const std::set<std::string> usual = namesOf(differingKeys(runs));
    std::vector<RunComparison::Setting> settings = compareRuns(runs, {}).settings;
    std::erase_if(settings, [](const auto& setting) { return !setting.differs(); });
    const std::vector<RunGroupKey> keys = groupKeysOf(settings);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const NumberColumn* const column = findNumber(numbers, settings[i].key);
        AxisChoice choice { .axis = isNumeric(keys[i]) && column != nullptr
                ? axisOf(*column)
                : axisOfWords(settings[i].key, keys[i]),
            .kind = Kind::Setting,
            .isUsual = usual.contains(keys[i].name) };
        choices.push_back(std::move(choice));
    }
}

bool isUsualResult(const NumberColumn& column, const std::vector<NumberColumn>& numbers)
{
    static const std::array<std::string, 3> usual { kAccuracyFilter, kMemoryFilter, kTimeFilter };
    if (std::ranges::find(usual, column.number.name) != usual.end())
        return true;
    // Runs without an accuracy are judged by something else.
    return findNumber(numbers, kAccuracyFilter) == nullptr && &column == numbers.data()
        && column.kind == Kind::Result;
}

QJsonObject jsonOfMap(const std::map<std::string, bool>& map)
{
    QJsonObject json;
    for (const auto& [name, on] : map)
        json.insert(QString::fromStdString(name), on);
    return json;
}

std::map<std::string, bool> mapOf(const QJsonValue& json)
{
    std::map<std::string, bool> map;
    const QJsonObject object = json.toObject();
    for (auto each = object.begin(); each != object.end(); ++each)
        if (each.value().isBool())
            map[each.key().toStdString()] = each.value().toBool();
    return map;
}

bool wished(const std::map<std::string, bool>& map, const std::string& name, bool otherwise)
{
    const auto found = map.find(name);
    return found != map.end() ? found->second : otherwise;
}

// Axes of the stored order exchange their places; others stay where they are.
void putInOrder(std::vector<ParallelAxis>& axes, const std::vector<std::string>& order)
{
    std::vector<std::size_t> places;
    std::vector<std::pair<std::ptrdiff_t, ParallelAxis>> ordered;
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (const auto at = std::ranges::find(order, axes[i].name); at != order.end()) {
            places.push_back(i);
            ordered.emplace_back(at - order.begin(), axes[i]);
        }
    std::ranges::stable_sort(
        ordered, [](const auto& one, const auto& other) { return one.first < other.first; });
    for (std::size_t i = 0; i < places.size(); ++i)
        axes[places[i]] = ordered[i].second;
}

} // namespace

std::vector<AxisChoice> axisChoices(
    const std::vector<RunRecord>& runs, const std::vector<RunSummaries>& summaries)
{
    const std::vector<NumberColumn> numbers = numbersOf(runs, summaries);
    std::vector<AxisChoice> choices;
    addSettings(choices, runs, numbers);
    for (const NumberColumn& column : numbers)
        if (column.kind != Kind::Setting)
            choices.push_back({ axisOf(column), column.kind, isUsualResult(column, numbers) });
    return choices;
}

QJsonObject jsonOf(const AxisWishes& wishes)
{
    QJsonArray order;
    for (const std::string& name : wishes.order)
        order.append(QString::fromStdString(name));
    return { { QStringLiteral("shown"), jsonOfMap(wishes.shown) },
        { QStringLiteral("inverted"), jsonOfMap(wishes.inverted) },
        { QStringLiteral("logarithmic"), jsonOfMap(wishes.logarithmic) },
        { QStringLiteral("order"), order },
        { QStringLiteral("colour"), QString::fromStdString(wishes.colour) } };
}

AxisWishes axisWishesOf(const QJsonObject& json)
{
    AxisWishes wishes { mapOf(json[QLatin1String("shown")]), mapOf(json[QLatin1String("inverted")]),
        mapOf(json[QLatin1String("logarithmic")]), {},
        json[QLatin1String("colour")].toString().toStdString() };
    for (const auto& name : json[QLatin1String("order")].toArray())
        if (name.isString())
            wishes.order.push_back(name.toString().toStdString());
    return wishes;
}

bool isWanted(const AxisChoice& choice, const AxisWishes& wishes)
{
    return wished(wishes.shown, choice.axis.name, choice.isUsual);
}

std::vector<ParallelAxis> wantedAxes(
    const std::vector<AxisChoice>& choices, const AxisWishes& wishes)
{
    std::vector<ParallelAxis> axes;
    for (const AxisChoice& choice : choices) {
        if (!isWanted(choice, wishes))
            continue;
        ParallelAxis& axis = axes.emplace_back(choice.axis);
        axis.isInverted = wished(wishes.inverted, axis.name, false);
        axis.isLogarithmic = wished(wishes.logarithmic, axis.name, axis.isLogarithmic);
    }
    putInOrder(axes, wishes.order);
    return axes;
}

} // namespace accrue
