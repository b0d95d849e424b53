// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Text from outside: how much of it is read, and how messages and tables may hold it.
namespace accrue {

// The limit of every text that is read whole: settings, recipes, JSON.
inline constexpr std::size_t kLargestTextFile = 1024 * 1024;

// The first character; of length 0 where it is no UTF-8: no stray byte, no over-long form, no
// surrogate. Empty text has none.
struct Character {
    std::size_t length = 0; // bytes
    std::uint32_t point = 0; // code point
};
Character firstCharacter(std::string_view text);
std::size_t lengthOfCharacter(std::string_view text); // of the first one
bool isUtf8(std::string_view text);
// UTF-8 without control characters: what TOML, a table's cell and a C function that takes a path
// can all hold.
bool isOneLine(const std::string& text);
// Where the character behind the first `count` ones begins; npos: there are no more than that. A
// byte that is no UTF-8 is one.
std::size_t endOfCharacters(std::string_view text, std::size_t count);
// At most so many bytes of it, with no character cut in two.
std::string_view firstBytes(std::string_view text, std::size_t most);

// With ? for every byte that is no UTF-8 and every control character.
std::string madeOneLine(std::string_view text);

// What a message quotes of it: at most the first `most` characters, then …; control characters are
// shown as ?, bytes that are no UTF-8 as \xE9.
inline constexpr std::size_t kQuotedCharacters = 80;
std::string shortened(std::string_view text, std::size_t most = kQuotedCharacters);

// \xE9
std::string escapedByte(char byte);

} // namespace accrue
