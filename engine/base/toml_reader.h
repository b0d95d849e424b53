// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/written_value.h"

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

// Why a text cannot be read; file_messages.h words it.
struct TomlProblem {
    enum class Kind {
        None,
        TooLarge, // more than kLargestTextFile bytes
        TooManyParts,
        TooManyLevels,
        NotUtf8, // `what` is the byte
        UnquotedCharacter, // `what` is the character
        NotToml, // `what` is the library's explanation
    };
    Kind kind = Kind::None;
    int line = 0;
    int column = 0; // of NotToml
    std::string what {};

    bool empty() const { return kind == Kind::None; }
};

struct TomlText {
    std::vector<TomlEntry> entries; // by line; empty where there is a problem
    TomlProblem problem {};

    const TomlEntry* find(std::string_view key) const; // null: no such key
};

using IsKey = std::function<bool(std::string_view)>;

// Sections become dotted keys, each with the line that it stands on. An inline table under a name
// for which `isKey` holds is that key's value; without `isKey` none is. Text of more than
// kLargestTextFile bytes or beyond the limits above, and letters beyond ASCII outside of quotes and
// comments, are a problem before the library sees them.
TomlText readToml(std::string_view text, const IsKey& isKey = {});

// A value of the command line or of a field of the form. What begins as a list, an inline table or
// text in quotes, and a number as only TOML writes it (0x10, 1_000), is read as TOML where it is
// that, also several of them as a list without its brackets; anything else as writtenFromText reads
// it. Blanks around it do not count.
WrittenValue writtenFromSetting(std::string_view text);

} // namespace accrue
