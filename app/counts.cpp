// SPDX-License-Identifier: Apache-2.0
#include "app/counts.h"

#include "app/argument_parser.h"
#include "engine/base/error.h"

namespace accrue {

namespace {

std::optional<std::int64_t> counted(const std::string& text, std::int64_t most)
{
    const auto count = positiveNumber(text);
    return count && *count <= most ? count : std::nullopt;
}

} // namespace

std::int64_t countIn(const std::string& text, const char* option, std::int64_t most)
{
    if (const auto count = counted(text, most))
        return *count;
    throw InputError(Message("cli.wrong_count",
        { { "option", std::string(option) }, { "text", text }, { "most", most } }));
}

std::vector<std::int64_t> countsIn(
    const std::vector<std::string>& texts, const char* option, std::int64_t most)
{
    std::vector<std::int64_t> counts;
    counts.reserve(texts.size());
    for (const std::string& text : texts) {
        const auto count = counted(text, most);
        if (!count)
            throw InputError(Message("cli.wrong_counts",
                { { "option", std::string(option) }, { "text", text }, { "most", most } }));
        counts.push_back(*count);
    }
    return counts;
}

std::int64_t countOf(const std::optional<std::string>& text, const char* option,
    std::int64_t byDefault, std::int64_t most)
{
    return text ? countIn(*text, option, most) : byDefault;
}

} // namespace accrue
