// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/written_value.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

// Inside this room only: the one place that knows the TOML library.
namespace accrue {

struct TomlEntry {
    std::string key; // dotted; a part that is not bare in TOML is in quotes
    int line = 0;
    WrittenValue value; // monostate for an empty table
    bool emptyTable = false; // a section without keys
};

struct TomlText {
    std::vector<TomlEntry> entries; // by line
    // "is not TOML: line 3, column 7: …" where it cannot be read; then there are no entries
    std::string problem;
    int line = 0; // of the problem
};

inline bool noKey(std::string_view)
{
    return false;
}

// Sections become dotted keys, each with the line that it stands on. An inline table under a name
// for which `isKey` holds is that key's value.
TomlText readToml(
    std::string_view text, const std::function<bool(std::string_view)>& isKey = noKey);

} // namespace accrue
