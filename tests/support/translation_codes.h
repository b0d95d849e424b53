// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/language.h"
#include "engine/base/toml_reader.h"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace accrue::test {

// All codes of that language, sorted, so that a test finds those that are no longer used.
inline std::vector<std::string> codesOf(const Language& language)
{
    std::vector<std::string> codes;
    for (const TomlEntry& entry : readToml(language.toml).entries) {
        // A code with dots is one quoted key, and entry.key still has the quotes.
        const WrittenValue code = writtenFromSetting(entry.key);
        const bool isText = std::holds_alternative<std::string>(entry.value.value);
        if (const auto* key = std::get_if<std::string>(&code.value); key != nullptr && isText)
            codes.push_back(*key);
    }
    std::sort(codes.begin(), codes.end());
    return codes;
}

} // namespace accrue::test
