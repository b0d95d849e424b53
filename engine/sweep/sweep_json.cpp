// SPDX-License-Identifier: Apache-2.0
#include "engine/sweep/sweep_json.h"

#include "engine/base/error.h"
#include "engine/base/json_reader.h"
#include "engine/base/sentences.h"
#include "engine/events/json_list.h"
#include "engine/events/json_value.h"
#include "engine/experiment/recipe.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;
using Read = nlohmann::json;

namespace {

Json jsonOfAxis(const SweepAxis& axis)
{
    if (!axis.range)
        return { { "key", axis.key },
            { "values",
                jsonList(axis.values, [](const SettingValue& value) { return jsonOf(value); }) } };
    const SweepRange& range = *axis.range;
    return { { "key", axis.key }, { "from", jsonOf(range.from) }, { "to", jsonOf(range.to) },
        { "whole", range.isWhole }, { "count", range.count ? Json(*range.count) : Json() },
        { "logarithmic", range.isLogarithmic } };
}

[[noreturn]] void refuse(const Message& reason)
{
    throw Error(Message("sweep.no_definition", { { "reason", reason } }));
}

// A sweep is started unattended, so a member that is not understood is not passed over.
void requireMembers(const Read& json, const std::set<std::string>& names)
{
    if (!json.is_object())
        refuse(Message("sweep.no_object"));
    for (const auto& [name, value] : json.items())
        if (names.count(name) == 0)
            refuse(Message("sweep.unknown_member", { { "name", shortened(name) } }));
    for (const std::string& name : names)
        if (!json.contains(name))
            refuse(Message("sweep.missing_member", { { "name", name } }));
}

template <typename Value> Value memberOf(const Read& json, const char* name, bool isRightKind)
{
    if (!isRightKind)
        refuse(Message("sweep.wrong_member", { { "name", std::string(name) } }));
    return json.at(name).get<Value>();
}

std::int64_t countOf(const Read& json, const char* name)
{
    const Read& value = json.at(name);
    const bool isWhole = value.is_number_integer()
        && !(
            value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t { INT64_MAX });
    return memberOf<std::int64_t>(json, name, isWhole);
}

bool flagOf(const Read& json, const char* name)
{
    return memberOf<bool>(json, name, json.at(name).is_boolean());
}

double numberOf(const Read& json, const char* name)
{
    return memberOf<double>(json, name, json.at(name).is_number());
}

std::string textOf(const Read& json, const char* name)
{
    return memberOf<std::string>(json, name, json.at(name).is_string());
}

SettingValue valueOf(const Read& json)
{
    if (json.is_boolean())
        return json.get<bool>();
    if (json.is_number_integer())
        return json.get<std::int64_t>();
    if (json.is_number_float())
        return json.get<double>();
    if (json.is_string())
        return json.get<std::string>();
    refuse(Message("sweep.wrong_member", { { "name", std::string("values") } }));
}

std::vector<SettingValue> valuesOf(const Read& json)
{
    const Read& list = json.at("values");
    if (!list.is_array() || std::ssize(list) > kMostSweepRuns)
        refuse(Message("sweep.wrong_member", { { "name", std::string("values") } }));
    std::vector<SettingValue> values;
    for (const Read& value : list)
        values.push_back(valueOf(value));
    return values;
}

SweepRange rangeOf(const Read& json)
{
    SweepRange range { .from = numberOf(json, "from"),
        .to = numberOf(json, "to"),
        .isLogarithmic = flagOf(json, "logarithmic"),
        .isWhole = flagOf(json, "whole") };
    if (!json.at("count").is_null())
        range.count = countOf(json, "count");
    return range;
}

SweepAxis axisOf(const Read& json)
{
    SweepAxis axis;
    const bool isList = json.is_object() && json.contains("values");
    if (isList)
        requireMembers(json, { "key", "values" });
    else
        requireMembers(json, { "key", "from", "to", "whole", "count", "logarithmic" });
    axis.key = textOf(json, "key");
    if (isList)
        axis.values = valuesOf(json);
    else
        axis.range = rangeOf(json);
    return axis;
}

SweepOrder orderOf(const Read& json)
{
    const std::string name = textOf(json, "order");
    for (const SweepOrder order : { SweepOrder::Given, SweepOrder::Memory, SweepOrder::Time })
        if (nameOf(order) == name)
            return order;
    refuse(Message("sweep.wrong_member", { { "name", std::string("order") } }));
}

Experiment baseOf(const Read& json)
{
    const Recipe recipe = parseRecipe(textOf(json, "base"), "base");
    for (const Finding& finding : recipe.findings)
        if (finding.severity == Finding::Severity::Error)
            refuse(finding.message);
    return recipe.experiment;
}

SweepDefinition read(const Read& json)
{
    requireMembers(json,
        { "format", "base", "vary", "seeds", "random", "keep_effective", "order", "halving" });
    if (!json.at("vary").is_array() || json.at("vary").size() > 1000)
        refuse(Message("sweep.wrong_member", { { "name", std::string("vary") } }));
    SweepDefinition sweep;
    sweep.base = baseOf(json);
    sweep.seeds = countOf(json, "seeds");
    sweep.random = countOf(json, "random");
    sweep.keepsEffective = flagOf(json, "keep_effective");
    sweep.order = orderOf(json);
    sweep.halving = countOf(json, "halving");
    for (const Read& axis : json.at("vary"))
        sweep.axes.push_back(axisOf(axis));
    for (const Finding& finding : checkSweep(sweep))
        refuse(finding.message);
    return sweep;
}

// First of all: the members of another format are not known.
void requireFormat(const Read& json)
{
    if (!json.is_object() || !json.contains("format"))
        refuse(Message("sweep.missing_member", { { "name", std::string("format") } }));
    if (const std::int64_t format = countOf(json, "format"); format != kSweepFormat)
        refuse(Message("sweep.other_format",
            { { "format", std::to_string(format) }, { "known", kSweepFormat } }));
}

} // namespace

Json jsonOf(const SweepDefinition& sweep)
{
    return { { "format", kSweepFormat }, { "base", writeRecipe(sweep.base) },
        { "vary", jsonList(sweep.axes, jsonOfAxis) }, { "seeds", sweep.seeds },
        { "random", sweep.random }, { "keep_effective", sweep.keepsEffective },
        { "order", nameOf(sweep.order) }, { "halving", sweep.halving } };
}

SweepDefinition sweepOf(std::string_view text)
{
    Read json;
    try {
        json = readJson(text);
    } catch (const JsonError& error) {
        refuse(Message("sweep.not_json", { { "reason", error.message() } }));
    }
    requireFormat(json);
    return read(json);
}

} // namespace accrue
