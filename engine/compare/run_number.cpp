// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/run_number.h"

#include "engine/base/error.h"
#include "engine/base/format.h"
#include "engine/base/shown_text.h"
#include "engine/report/comparison_rows.h"
#include "engine/runs/run_keys.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <utility>

namespace accrue {
namespace {

using Summaries = std::vector<MetricSummary>;

struct Statistic {
    std::string_view name;
    double MetricSummary::*value;
    const char* title;
};
constexpr std::array<Statistic, 4> kStatistics { {
    { "final", &MetricSummary::final, "compare.final" },
    { "best", &MetricSummary::best, "compare.best" },
    { "min", &MetricSummary::min, "compare.lowest" },
    { "max", &MetricSummary::max, "compare.highest" },
} };

// What a short key of run_keys.h is a value of.
struct KnownKey {
    std::string_view key;
    MetricId metric;
    const char* statistic; // code of its title; empty: the metric has one for the whole run
};
constexpr std::array<KnownKey, 4> kKnownKeys { {
    { kAccuracyFilter, MetricId::TestAccuracy, "compare.best" },
    { kLossFilter, MetricId::TestLoss, "compare.final" },
    { kMemoryFilter, MetricId::PeakBytes, "" },
    { kTimeFilter, MetricId::Elsewhere, "" },
} };

Message partOf(Message whole, const char* code)
{
    return Message(
        "compare.part_of_a_metric", { { "metric", std::move(whole) }, { "part", Message(code) } });
}

std::optional<double> finite(double value)
{
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

RunNumber plainNumber(const std::string& name)
{
    RunNumber number { name, Message::plain(name), metricNamed(name) };
    number.shownAs.better = Better::Neither;
    return number;
}

// Time has no row in the table of metrics.
RunNumber timeOf(const std::string& name)
{
    RunNumber number = plainNumber(name);
    number.title = Message("groups.time");
    number.kind = RunNumber::Kind::Seconds;
    number.shownAs.better = Better::Lower;
    return number;
}

RunNumber describedKey(const std::string& name)
{
    const auto known = std::find_if(kKnownKeys.begin(), kKnownKeys.end(),
        [&](const KnownKey& each) { return each.key == name; });
    if (known != kKnownKeys.end() && known->metric == MetricId::Elsewhere)
        return timeOf(name);
    RunNumber number = plainNumber(name);
    const MetricInfo* metric =
        known != kKnownKeys.end() ? &infoOf(known->metric) : findMetric(name);
    if (metric == nullptr)
        return number;
    number.shownAs = *metric;
    const Message title = name == kAccuracyFilter ? Message("groups.accuracy") : titleOf(*metric);
    const std::string statistic = known != kKnownKeys.end() ? known->statistic
        : metric->section == MetricSection::Step            ? ""
                                                            : "compare.final";
    number.title = statistic.empty() ? title : partOf(title, statistic.c_str());
    return number;
}

RunNumber numberOfKey(const std::string& name)
{
    RunNumber number = describedKey(name);
    number.value = [reading = readingOf(name)](const RunRecord& run, const Summaries&) {
        const std::optional<double> value = reading(run).number;
        return value ? finite(*value) : std::nullopt;
    };
    return number;
}

RunNumber numberOfMetric(
    const std::string& name, const MetricInfo& info, const Statistic& statistic)
{
    RunNumber number { name, partOf(titleOf(info), statistic.title), info };
    number.value = [metric = info.name, value = statistic.value](
                       const RunRecord&, const Summaries& summaries) -> std::optional<double> {
        for (const MetricSummary& summary : summaries)
            if (summary.metric == metric)
                return finite(summary.*value);
        return std::nullopt;
    };
    return number;
}

// A dotted key that has a short name has numbers under that name, such as the batch numbers that
// were solved.
std::string shortNameOf(std::string_view name)
{
    const KeyInfo* info = findKey(name);
    return info != nullptr && !info->filter.empty() ? info->filter : std::string(name);
}

bool isNumberKey(std::string_view name)
{
    return readingOf(name) && !mayBeWord(shortNameOf(name), "");
}

bool isLogged(std::string_view metric, const std::vector<Summaries>& logged)
{
    return std::any_of(logged.begin(), logged.end(), [&](const Summaries& some) {
        return std::any_of(some.begin(), some.end(),
            [&](const MetricSummary& summary) { return summary.metric == metric; });
    });
}

// ---- digits ------------------------------------------------------------------------------------

// Decimals with which `half`, the uncertainty, has one digit, or two if the first one is small:
// 0.7, 0.12. All of a value with no uncertainty that a person reads.
int decimalsFor(double half, double value)
{
    const double size = half > 0 && std::isfinite(half) ? half : std::abs(value) / 1000;
    if (!(size > 0))
        return 2;
    const int exponent = static_cast<int>(std::floor(std::log10(size)));
    const bool isSmall = size / std::pow(10, exponent) < 3.5;
    return std::clamp((isSmall ? 1 : 0) - exponent, 0, 9);
}

std::string fixed(double value, int decimals)
{
    std::array<char, 400> buffer {};
    const auto end = std::to_chars(
        buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
    return { buffer.data(), end.ptr };
}

std::string withSign(double value, const std::string& positive)
{
    return (value < 0 ? "−" : "+") + positive;
}

bool showsOnlyZeros(const std::string& text)
{
    return text.find_first_of("123456789") == std::string::npos;
}

// An end that is not 0 must not look like it, because that is what the interval is read for.
int decimalsOf(double difference, double low, double high)
{
    int decimals = decimalsFor((high - low) / 2, difference);
    for (const double value : { low, high })
        while (value != 0 && decimals < 9 && showsOnlyZeros(fixed(std::abs(value), decimals)))
            ++decimals;
    // The difference itself may get one more for the same reason.
    const double size = std::abs(difference);
    const bool isHidden = difference != 0 && showsOnlyZeros(fixed(size, decimals));
    return isHidden && !showsOnlyZeros(fixed(size, decimals + 1)) ? decimals + 1 : decimals;
}

// A small difference is beside the values that it was made of: two digits tell its size.
int digitsOfDifference(double size)
{
    return size >= 1 ? 4 : size >= 0.1 ? 3 : 2;
}

bool isInUnits(const RunNumber& number) // whose writing is more than digits and a unit
{
    return number.kind == RunNumber::Kind::Seconds || number.shownAs.format == MetricFormat::Bytes;
}

Message withUnit(const RunNumber& number, const std::string& text)
{
    if (number.shownAs.format == MetricFormat::Share)
        return Message("groups.points", { { "points", text } });
    const std::string& unit = number.shownAs.unit;
    return Message::plain(unit.empty() || isInUnits(number) ? text : text + " " + unit);
}

} // namespace

bool needsSummaries(std::string_view name)
{
    return name.find(':') != std::string_view::npos || !isNumberKey(name);
}

RunNumber runNumber(std::string_view name, const std::vector<std::vector<MetricSummary>>& logged)
{
    const std::size_t colon = name.rfind(':');
    const std::string metric(name.substr(0, colon));
    const std::string_view word =
        colon == std::string_view::npos ? kStatistics.front().name : name.substr(colon + 1);
    const auto statistic = std::find_if(kStatistics.begin(), kStatistics.end(),
        [&](const Statistic& each) { return each.name == word; });
    if (!needsSummaries(name))
        return numberOfKey(std::string(name));
    if (findMetric(metric) == nullptr && !isLogged(metric, logged))
        throw InputError(colon == std::string_view::npos && readingOf(name)
                ? Message("groups.not_a_number", { { "key", std::string(name) } })
                : unknownRunKey(metric));
    const MetricInfo info = metricNamed(metric);
    if (statistic == kStatistics.end() || (word == kStatistics[1].name && !hasBest(info)))
        throw InputError(Message("groups.no_such_statistic",
            { { "metric", metric }, { "statistic", shortened(word) } }));
    return numberOfMetric(std::string(name), info, *statistic);
}

std::string numberText(const RunNumber& number, double value)
{
    return number.kind == RunNumber::Kind::Seconds ? formatDuration(value)
                                                   : metricText(number.shownAs, value);
}

DifferenceTexts differenceTexts(const RunNumber& number, double difference, double low, double high)
{
    const double scale = number.shownAs.format == MetricFormat::Share ? 100 : 1;
    const int decimals = decimalsOf(difference * scale, low * scale, high * scale);
    const auto text = [&](double value) {
        const double size = std::abs(value);
        return withSign(
            value, isInUnits(number) ? numberText(number, size) : fixed(size * scale, decimals));
    };
    return { withUnit(number, text(difference)), text(low), text(high) };
}

// Units that all values of a row have are left out: the value is beside it.
std::string plainDifference(const MetricInfo& shownAs, double difference)
{
    const double size = std::abs(difference);
    if (!std::isfinite(difference) || difference == 0)
        return formatNumber(difference);
    if (shownAs.format == MetricFormat::Share)
        return withSign(difference, fixed(size * 100, 2));
    return withSign(difference,
        shownAs.format == MetricFormat::Bytes ? metricText(shownAs, size)
                                              : formatNumber(size, digitsOfDifference(size)));
}

std::string halfText(const RunNumber& number, double half)
{
    if (!std::isfinite(half) || isInUnits(number))
        return numberText(number, half);
    const bool isShare = number.shownAs.format == MetricFormat::Share;
    if (isShare || number.shownAs.format == MetricFormat::Rate)
        return numberText(number, half);
    // Two digits, but no power of ten for a whole number: 99.7 would be 1e+02.
    const bool isWhole = half >= 99.5 && half < 1e6;
    const std::string text = isWhole ? fixed(half, 0) : formatNumber(half, 2);
    return number.shownAs.unit.empty() ? text : text + " " + number.shownAs.unit;
}

} // namespace accrue
