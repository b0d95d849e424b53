// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Text from outside: how much of it is read, and how messages and tables may contain it.
namespace accrue {

// The limit of every text that is read as a whole: settings, recipes, JSON.
inline constexpr std::size_t kLargestTextFile = 1024 * 1024;

// The first character; of length 0 if it is not UTF-8: a stray byte, an over-long form, a
// surrogate. Empty text has none.
struct Character {
    std::size_t length = 0; // bytes
    std::uint32_t point = 0; // code point
};
Character firstCharacter(std::string_view text);
bool isUtf8(std::string_view text);
// UTF-8 without control characters: valid in TOML, in a table's cell and for a C function with a
// path.
bool isOneLine(const std::string& text);
// Where the character after the first `count` ones begins; npos: there are at most that many. A
// byte that is not UTF-8 counts as one.
std::size_t endOfCharacters(std::string_view text, std::size_t count);
// At most so many bytes of it, without cutting a character.
std::string_view firstBytes(std::string_view text, std::size_t most);

// With ? for every control character and every byte that is not UTF-8.
std::string madeOneLine(std::string_view text);

// The part that a message quotes: at most the first `most` characters, then …; control characters
// are shown as ?, bytes that are not UTF-8 as \xE9.
inline constexpr std::size_t kQuotedCharacters = 80;
std::string shortened(std::string_view text, std::size_t most = kQuotedCharacters);

// \xE9
std::string escapedByte(char byte);

} // namespace accrue
