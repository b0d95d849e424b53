// SPDX-License-Identifier: Apache-2.0
#include "app/counts.h"

#include "app/argument_parser.h"
#include "engine/base/error.h"

namespace accrue {

std::int64_t countIn(const std::string& text, const char* option, std::int64_t most)
{
    const auto count = positiveNumber(text);
    if (!count || *count > most)
        throw InputError(Message("cli.wrong_count",
            { { "option", std::string(option) }, { "text", text }, { "most", most } }));
    return *count;
}

std::int64_t countOf(const std::optional<std::string>& text, const char* option,
    std::int64_t byDefault, std::int64_t most)
{
    return text ? countIn(*text, option, most) : byDefault;
}

} // namespace accrue
