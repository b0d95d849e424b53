// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// The value of an option that is a count, from 1 to `most`. Throws InputError naming the option.
std::int64_t countIn(const std::string& text, const char* option, std::int64_t most);
std::vector<std::int64_t> countsIn(
    const std::vector<std::string>& texts, const char* option, std::int64_t most);
std::int64_t countOf(const std::optional<std::string>& text, const char* option,
    std::int64_t byDefault, std::int64_t most);

} // namespace accrue
