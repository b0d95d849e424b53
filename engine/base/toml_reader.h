// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/written_value.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

// The only place that parses TOML: recipes, settings, mirrors, checkpoints and values of --set.
namespace accrue {

// Limits of a text from outside: each level costs one of the library's stack frames.
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

// Sections become dotted keys, each with its line. An inline table under a name for which `isKey`
// returns true is that key's value; without `isKey` there are none. Text of more than
// kLargestTextFile bytes or beyond the limits above, and letters beyond ASCII outside of quotes and
// comments, are a problem that is found before the library reads them.
TomlText readToml(std::string_view text, const IsKey& isKey = {});

// A value of the command line or of a field of the form. Text that begins like a list, an inline
// table or text in quotes, and a number in a form that only TOML has (0x10, 1_000), is read as TOML
// if it is valid TOML, also several of them as a list without its brackets; anything else as
// writtenFromText reads it. Surrounding blanks are ignored.
WrittenValue writtenFromSetting(std::string_view text);

} // namespace accrue
