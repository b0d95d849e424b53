// SPDX-License-Identifier: Apache-2.0
#include "engine/sweep/sweep_axis.h"

#include "engine/base/format.h"
#include "engine/base/shown_text.h"
#include "engine/base/toml_reader.h"
#include "engine/experiment/keys.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <system_error>

namespace accrue {

namespace {

// Beyond it a double has gaps between whole numbers.
constexpr double kMostWhole = 9007199254740992.0;
constexpr int kDigits = 4; // of fractions: a person can type them again
constexpr std::string_view kDots = "..";
constexpr std::string_view kLog = "log";

// ---- text ----

std::optional<double> numberIn(std::string_view text)
{
    double number = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc {} && read.ptr == end && std::isfinite(number)
        ? std::optional(number)
        : std::nullopt;
}

// Split at commas outside of brackets and quotes.
std::vector<std::string_view> itemsOf(std::string_view text)
{
    std::vector<std::string_view> items;
    int depth = 0;
    char quote = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        // As in --set: text in double quotes, and in lists also TOML's literal text.
        const bool mayQuote = depth > 0
            ? c == '"' || c == '\''
            : c == '"' && trimmed(text.substr(begin, i - begin)).empty();
        if (quote == '"' && c == '\\')
            ++i; // what follows is part of the text
        else if (quote != 0)
            quote = c == quote ? '\0' : quote;
        else if (mayQuote)
            quote = c;
        else if (c == '[' || c == '{')
            ++depth;
        else if (c == ']' || c == '}')
            --depth;
        else if (c == ',' && depth <= 0) {
            items.push_back(trimmed(text.substr(begin, i - begin)));
            begin = i + 1;
        }
    }
    items.push_back(trimmed(text.substr(begin)));
    return items;
}

// Whether an item begins like a range: "0.1..x". Folders such as "../data" do not.
bool looksLikeRange(std::string_view item)
{
    const std::size_t dots = item.find(kDots);
    return dots != std::string_view::npos && numberIn(trimmed(item.substr(0, dots)));
}

// "5", "5log", "log"; false: none of them.
bool readCount(std::string_view text, SweepRange& range)
{
    range.isLogarithmic = text.ends_with(kLog);
    if (range.isLogarithmic)
        text.remove_suffix(kLog.size());
    text = trimmed(text);
    if (text.empty())
        return range.isLogarithmic;
    std::int64_t count = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, count);
    range.count = count;
    return read.ec == std::errc {} && read.ptr == end;
}

// Empty: it is written in another way.
std::optional<SweepRange> rangeIn(std::string_view item)
{
    const std::size_t dots = item.find(kDots);
    const std::string_view rest = item.substr(dots + kDots.size());
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const auto from = numberIn(trimmed(item.substr(0, dots)));
    const auto to = numberIn(trimmed(rest.substr(0, colon)));
    SweepRange range { from.value_or(0), to.value_or(0) };
    if (!from || !to || (colon < rest.size() && !readCount(rest.substr(colon + 1), range)))
        return {};
    return range;
}

// ---- values ----

WrittenValue writtenOf(const SettingValue& value)
{
    if (const std::string* text = std::get_if<std::string>(&value))
        return writtenFromText(*text);
    WrittenValue written { std::visit(
        [](const auto& each) { return decltype(WrittenValue::value)(each); }, value) };
    written.shown = settingText(value);
    return written;
}

SettingValue numberOf(double number, bool isWhole)
{
    return isWhole ? SettingValue(static_cast<std::int64_t>(std::llround(number)))
                   : SettingValue(number);
}

// The value as the key has it; a problem if the key does not accept it.
std::optional<SettingValue> accepted(
    const std::string& key, const WrittenValue& written, Findings& problems)
{
    Experiment experiment;
    const KeyInfo* const known = findKey(key);
    if (auto problem = setKey(experiment, key, written, 0))
        problems.push_back(std::move(*problem));
    else if (!known->value.inRange(experiment))
        problems.push_back(errorAbout(
            key, notAllowed(key, shortened(known->value.toml(experiment)), known->allowed)));
    else
        return known->value.get(experiment);
    return {};
}

Findings acceptAll(const SweepAxis& axis)
{
    Findings problems;
    for (const SettingValue& value : axis.values)
        accepted(axis.key, writtenOf(value), problems);
    return problems;
}

Finding noRange(const std::string& key, std::string_view value)
{
    return errorAbout(
        key, Message("sweep.no_range", { { "key", key }, { "value", shortened(value) } }));
}

Finding emptyValue(const std::string& key)
{
    return errorAbout(key, Message("sweep.empty_value", { { "key", key } }));
}

// Whether the key's own type makes a whole number of it.
bool isWholeKey(const std::string& key, double number)
{
    Findings ignored;
    const auto value = std::floor(number) == number && std::abs(number) <= kMostWhole
        ? accepted(key, writtenOf(numberOf(number, /*isWhole=*/true)), ignored)
        : std::nullopt;
    return value && std::holds_alternative<std::int64_t>(*value);
}

Findings checkRange(const SweepAxis& axis)
{
    const SweepRange& range = *axis.range;
    const std::string text = textOf(axis);
    const auto isRight = [&](double end) {
        return std::isfinite(end)
            && (!range.isWhole || (std::floor(end) == end && std::abs(end) <= kMostWhole));
    };
    if (!isRight(range.from) || !isRight(range.to) || !(range.from < range.to)
        || !axis.values.empty())
        return { noRange(axis.key, text) };
    if (range.isLogarithmic && range.from <= 0)
        return { errorAbout(axis.key,
            Message("sweep.logarithm_of_zero", { { "key", axis.key }, { "value", text } })) };
    if (range.count && (*range.count < 2 || *range.count > kMostSweepRuns))
        return { errorAbout(axis.key,
            Message("sweep.range_count",
                { { "key", axis.key }, { "value", text }, { "most", kMostSweepRuns } })) };
    Findings problems;
    for (const double end : { range.from, range.to })
        if (problems.empty())
            accepted(axis.key, writtenOf(numberOf(end, range.isWhole)), problems);
    if (problems.empty()
        && range.isWhole != (isWholeKey(axis.key, range.from) && isWholeKey(axis.key, range.to)))
        problems.push_back(noRange(axis.key, text));
    return problems;
}

ParsedAxis refused(Finding problem)
{
    return { {}, { std::move(problem) } };
}

ParsedAxis checked(SweepAxis axis)
{
    Findings problems = checkAxis(axis);
    if (!problems.empty())
        return { {}, { std::move(problems.front()) } };
    return { std::move(axis), {} };
}

ParsedAxis parseRange(SweepAxis axis, std::string_view item)
{
    axis.range = rangeIn(item);
    if (!axis.range)
        return refused(noRange(axis.key, item));
    axis.range->isWhole =
        isWholeKey(axis.key, axis.range->from) && isWholeKey(axis.key, axis.range->to);
    return checked(std::move(axis));
}

ParsedAxis parseList(SweepAxis axis, const std::vector<std::string_view>& items)
{
    Findings problems;
    for (const std::string_view item : items) {
        if (item.empty())
            return refused(emptyValue(axis.key));
        if (looksLikeRange(item))
            return refused(errorAbout(axis.key,
                Message("sweep.range_not_alone",
                    { { "key", axis.key }, { "value", shortened(item) } })));
        const auto value = accepted(axis.key, writtenFromSetting(item), problems);
        if (!value)
            return { {}, problems };
        axis.values.push_back(*value);
    }
    return { std::move(axis), {} };
}

// ---- numbers of a range ----

// Without the last digits, in which a computed number differs from the one that is meant.
double withDecimals(double value, int decimals)
{
    char text[400];
    const auto end = std::to_chars(std::begin(text), std::end(text), value,
        std::chars_format::fixed, std::clamp(decimals, 0, 340));
    return numberIn({ text, static_cast<std::size_t>(end.ptr - text) }).value_or(value);
}

int digitsBeforePoint(double value)
{
    return value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
}

// Share 0 to 1 of the way.
double along(const SweepRange& range, double share)
{
    return range.isLogarithmic ? range.from * std::pow(range.to / range.from, share)
                               : range.from + share * (range.to - range.from);
}

// With so many digits of itself or of the range, whichever is smaller.
double rounded(const SweepRange& range, double number, int digits)
{
    const double span = range.to - range.from;
    const double scale = number == 0 ? span : std::min(std::abs(number), span);
    return std::clamp(
        withDecimals(number, digits - 1 - digitsBeforePoint(scale)), range.from, range.to);
}

// More digits if there are so many numbers that four do not tell them apart.
double gridNumber(const SweepRange& range, std::int64_t i)
{
    const std::int64_t last = *range.count - 1;
    if (i == 0 || i == last)
        return i == 0 ? range.from : range.to;
    const int digits = std::max(kDigits, digitsBeforePoint(static_cast<double>(last)) + 3);
    return rounded(range, along(range, static_cast<double>(i) / static_cast<double>(last)), digits);
}

double drawnNumber(const SweepRange& range, double share)
{
    return rounded(range, along(range, share), kDigits);
}

std::int64_t wholeNumbersIn(const SweepRange& range)
{
    return static_cast<std::int64_t>(range.to) - static_cast<std::int64_t>(range.from) + 1;
}

std::set<std::string> differentTexts(const std::vector<SettingValue>& values)
{
    std::set<std::string> texts;
    for (const SettingValue& value : values)
        texts.insert(settingText(value));
    return texts;
}

// Quoted if it would not read back as one value.
std::string itemText(const SettingValue& value)
{
    const std::string text = settingText(value);
    const bool isPlain = !std::holds_alternative<std::string>(value)
        || (!text.empty() && itemsOf(text).size() == 1 && !looksLikeRange(text)
            && text.find_first_of("\"'[{") == std::string::npos);
    return isPlain ? text : tomlQuoted(text);
}

} // namespace

ParsedAxis parseAxis(std::string_view assignment)
{
    const std::size_t equals = assignment.find('=');
    const std::string_view key = trimmed(assignment.substr(0, equals));
    if (equals == std::string_view::npos || key.empty())
        return refused(
            errorAbout({}, Message("sweep.no_assignment", { { "found", shortened(assignment) } })));
    SweepAxis axis { .key = std::string(key) };
    Experiment ignored;
    // A key that does not exist is reported before its values are.
    if (findKey(key) == nullptr)
        return refused(*setKey(ignored, key, {}, 0));
    const std::vector<std::string_view> items = itemsOf(assignment.substr(equals + 1));
    if (std::ssize(items) > kMostSweepRuns)
        return refused(errorAbout(axis.key,
            Message("sweep.too_many_values",
                { { "key", axis.key }, { "count", items.size() }, { "most", kMostSweepRuns } })));
    if (items.size() == 1 && looksLikeRange(items.front()))
        return parseRange(std::move(axis), items.front());
    return parseList(std::move(axis), items);
}

std::string textOf(const SweepAxis& axis)
{
    if (!axis.range) {
        std::string text;
        for (const SettingValue& value : axis.values)
            text += (text.empty() ? "" : ",") + itemText(value);
        return text;
    }
    const SweepRange& range = *axis.range;
    std::string text = exactNumber(range.from) + std::string(kDots) + exactNumber(range.to);
    if (range.count || range.isLogarithmic)
        text += ":";
    if (range.count)
        text += std::to_string(*range.count);
    return range.isLogarithmic ? text + std::string(kLog) : text;
}

Findings checkAxis(const SweepAxis& axis)
{
    Experiment ignored;
    if (findKey(axis.key) == nullptr)
        return { *setKey(ignored, axis.key, {}, 0) };
    if (axis.range)
        return checkRange(axis);
    if (axis.values.empty())
        return { emptyValue(axis.key) };
    return acceptAll(axis);
}

std::int64_t gridSize(const SweepAxis& axis)
{
    if (!axis.range)
        return std::ssize(axis.values);
    const SweepRange& range = *axis.range;
    if (range.isWhole && range.count)
        return std::ssize(gridValues(axis));
    if (range.count)
        return *range.count;
    return range.isWhole && !range.isLogarithmic ? wholeNumbersIn(range) : 0;
}

std::vector<SettingValue> gridValues(const SweepAxis& axis)
{
    if (!axis.range)
        return axis.values;
    const SweepRange& range = *axis.range;
    std::vector<SettingValue> values;
    const std::int64_t count = range.count.value_or(range.isWhole ? wholeNumbersIn(range) : 0);
    for (std::int64_t i = 0; i < count; ++i) {
        const double number =
            range.count ? gridNumber(range, i) : range.from + static_cast<double>(i);
        SettingValue value = numberOf(number, range.isWhole);
        if (values.empty() || value != values.back())
            values.push_back(std::move(value));
    }
    return values;
}

std::optional<std::int64_t> drawnSize(const SweepAxis& axis)
{
    if (!axis.range)
        return std::ssize(differentTexts(axis.values));
    return axis.range->isWhole ? std::optional(wholeNumbersIn(*axis.range)) : std::nullopt;
}

SettingValue drawnValue(const SweepAxis& axis, CounterRandom& random)
{
    if (!axis.range)
        return axis.values[random.below(static_cast<std::uint32_t>(axis.values.size()))];
    const SweepRange& range = *axis.range;
    const double share = static_cast<double>(random.next() >> 11) * 0x1p-53; // [0, 1)
    if (range.isWhole && !range.isLogarithmic)
        return numberOf(
            std::min(range.from + std::floor(share * static_cast<double>(wholeNumbersIn(range))),
                range.to),
            true);
    return numberOf(range.isWhole ? std::clamp(along(range, share), range.from, range.to)
                                  : drawnNumber(range, share),
        range.isWhole);
}

} // namespace accrue
