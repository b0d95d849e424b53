// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/stop_rule.h"

#include "engine/base/format.h"
#include "engine/base/sentences.h"
#include "engine/base/shown_text.h"
#include "engine/base/spelling.h"
#include "engine/base/written_value.h"
#include "engine/experiment/key_names.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace accrue {

namespace {

using Operator = StopCondition::Operator;

// The table of metrics is in a room above this one; its test compares both.
constexpr std::array<RuleMetric, kRuleMetrics> kMetrics { {
    { "train_loss", false },
    { "train_accuracy", true },
    { "test_loss", false },
    { "test_accuracy", true },
    { "validation_loss", false },
    { "validation_accuracy", true },
} };

struct OperatorName {
    std::string_view text;
    Operator op;
};
constexpr OperatorName kOperators[] { // the longer ones first
    { ">=", Operator::NotBelow }, { "<=", Operator::NotAbove }, { ">", Operator::Above },
    { "<", Operator::Below }
};

std::vector<std::string> metricNames()
{
    std::vector<std::string> names;
    names.reserve(kMetrics.size());
    for (const RuleMetric& metric : kMetrics)
        names.emplace_back(metric.name);
    return names;
}

Message noCondition(std::string_view text)
{
    return Message("stop_rule.no_condition",
        { { "key", std::string(key::runStopWhen) }, { "part", shortened(text) } });
}

Message unknownMetric(std::string_view name)
{
    const std::string nearest = nearestOf(name, metricNames());
    if (!nearest.empty())
        return Message("stop_rule.misspelt_metric",
            { { "key", std::string(key::runStopWhen) }, { "metric", shortened(name) },
                { "nearest", nearest } });
    return Message("stop_rule.unknown_metric",
        { { "key", std::string(key::runStopWhen) }, { "metric", shortened(name) },
            { "allowed", oneOf(metricNames()) } });
}

std::optional<double> numberIn(std::string_view text)
{
    double number = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc {} && read.ptr == end && std::isfinite(number)
        ? std::optional(number)
        : std::nullopt;
}

// METRIC op NUMBER. Returns the problem; empty: none.
Message parseCondition(std::string_view text, StopRule& rule)
{
    const std::size_t at = text.find_first_of("<>");
    const std::string_view name = trimmed(text.substr(0, at));
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz_";
    if (at == std::string_view::npos || name.empty()
        || name.find_first_not_of(kLetters) != std::string_view::npos)
        return noCondition(text);
    const auto* const op = std::find_if(std::begin(kOperators), std::end(kOperators),
        [&](const OperatorName& known) { return text.substr(at).starts_with(known.text); });
    const auto limit = numberIn(trimmed(text.substr(at + op->text.size())));
    const auto* const metric = std::find_if(kMetrics.begin(), kMetrics.end(),
        [&](const RuleMetric& known) { return name == known.name; });
    if (metric == kMetrics.end())
        return unknownMetric(name);
    if (!limit)
        return noCondition(text);
    if (metric->isShare && (*limit < 0 || *limit > 1))
        return Message("stop_rule.no_share",
            { { "key", std::string(key::runStopWhen) }, { "metric", std::string(metric->name) },
                { "limit", exactNumber(*limit) } });
    rule.push_back({ static_cast<std::size_t>(metric - kMetrics.begin()), op->op, *limit });
    return {};
}

// At the word `and`.
std::vector<std::string_view> splitConditions(std::string_view text)
{
    constexpr std::string_view kAnd = " and ";
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t at = 0; (at = text.find(kAnd, begin)) != std::string_view::npos;
         begin = at + kAnd.size())
        parts.push_back(trimmed(text.substr(begin, at - begin)));
    parts.push_back(trimmed(text.substr(begin)));
    return parts;
}

bool holds(const StopCondition& condition, double value)
{
    switch (condition.op) { // false for NaN
    case Operator::NotBelow:
        return value >= condition.limit;
    case Operator::NotAbove:
        return value <= condition.limit;
    case Operator::Above:
        return value > condition.limit;
    case Operator::Below:
        break;
    }
    return value < condition.limit;
}

// Folders of pictures may have samples to validate on.
bool mayValidate(const DataSettings& data)
{
    return data.validation != HeldOut {} || data.name == DataName::Images;
}

} // namespace

const std::array<RuleMetric, kRuleMetrics>& ruleMetrics()
{
    return kMetrics;
}

ParsedRule parseStopRule(std::string_view text)
{
    ParsedRule parsed;
    if (trimmed(text).empty())
        return parsed;
    for (const std::string_view part : splitConditions(text))
        if (parsed.problem.empty())
            parsed.problem =
                part.empty() ? noCondition(trimmed(text)) : parseCondition(part, parsed.rule);
    return parsed;
}

Findings checkEarlyEnd(const Experiment& experiment)
{
    const ParsedRule parsed = parseStopRule(experiment.run.stopWhen);
    if (!parsed.problem.empty())
        return { errorAbout(key::runStopWhen, parsed.problem) };
    for (const StopCondition& condition : parsed.rule) {
        const std::string name = kMetrics.at(condition.metric).name;
        if (name.starts_with("validation") && !mayValidate(experiment.data))
            return { warningAbout(
                key::runStopWhen, Message("stop_rule.never_validated", { { "metric", name } })) };
    }
    return {};
}

std::optional<Message> valuesThatMeet(const StopRule& rule, const RuleValues& values)
{
    std::vector<std::string> texts;
    for (const StopCondition& condition : rule) {
        const double value = values.last.at(condition.metric);
        if (!holds(condition, value))
            return {};
        texts.push_back(
            std::string(kMetrics.at(condition.metric).name) + " = " + formatNumber(value));
    }
    return rule.empty() ? std::nullopt : std::optional(commaList(texts));
}

} // namespace accrue
