// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/written_value.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

// The one place that parses TOML: recipes, settings, mirrors, checkpoints and values of --set.
namespace accrue {

// What a text from outside may be: one of the library's stack frames stands for every level.
inline constexpr int kMostTomlParts = 16; // of a key: a.b.c has three
inline constexpr int kMostTomlLevels = 16; // of lists and inline tables within each other

struct TomlEntry {
    std::string key; // dotted; a part that is not bare in TOML is in quotes
    int line = 0;
    WrittenValue value; // monostate for an empty table
    bool emptyTable = false; // a section without keys
};

struct TomlText {
    std::vector<TomlEntry> entries; // by line
    // Goes on from the text's name, without a full stop: "is not TOML: line 3, column 7: …", where
    // it cannot be read; then there are no entries.
    std::string problem;
    int line = 0; // of the problem

    const TomlEntry* find(std::string_view key) const; // null: no such key
};

inline bool noKey(std::string_view)
{
    return false;
}

// Sections become dotted keys, each with the line that it stands on. An inline table under a name
// for which `isKey` holds is that key's value. Text of more than kLargestTextFile bytes or beyond
// the limits above, and letters beyond ASCII outside of quotes and comments, are a problem before
// the library sees them.
TomlText readToml(
    std::string_view text, const std::function<bool(std::string_view)>& isKey = noKey);

// A value of the command line. What begins as a list, an inline table or text in quotes, and a
// number as only TOML writes it (0x10, 1_000), is read as TOML where it is that; anything else as
// writtenFromText reads it. Blanks around it do not count.
WrittenValue writtenFromSetting(std::string_view text);

} // namespace accrue
