// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// Values as people write them in TOML and on the command line, before their type is known.
namespace accrue {

struct WrittenField;

// A value as it was written in a recipe or on the command line.
struct WrittenValue {
    // monostate: a section, a date, or anything else that no key accepts
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<WrittenValue>,
        std::vector<WrittenField>>
        value; // no {}: it would need a complete WrittenField here
    std::string shown {}; // cut as `shortened` does: 16, "many", [1, 2]; in messages shownOf()
    // A setting of the command line or of a field, if it is text: without the quotes that it may
    // have, whatever it looks like.
    std::optional<std::string> bare {};
    bool quoted = false; // text in quotes, which is never a number
    bool section = false; // of monostate
};

// One entry of an inline table: {from_epoch = 4, steps = 2}.
struct WrittenField {
    std::string name;
    WrittenValue value;
};

// Text of the command line: true, 16, 0.04, nan or, when it is none of these, text.
WrittenValue writtenFromText(std::string_view text);
// The elements of a list: [512, 256] in a recipe, and 512, 256 in a setting (whose empty text is
// the empty list). One inline table is a list of one. Nullopt: no list.
std::optional<std::vector<WrittenValue>> elementsOf(const WrittenValue& written);
// Without the leading and trailing `blanks`.
std::string_view trimmed(std::string_view text, std::string_view blanks = " ");
// Split at `separator`, without the blanks around each part; empty text has no parts.
std::vector<std::string_view> partsOf(std::string_view text, char separator);

// False if `written` is of another kind; then `to` is unchanged. Ranges are not checked, but a
// fraction is no count, nor is a whole number beyond 64 bits.
bool read(const WrittenValue& written, bool& to);
bool read(const WrittenValue& written, std::int64_t& to);
bool read(const WrittenValue& written, std::uint64_t& to); // negative numbers are of another kind
bool read(const WrittenValue& written, double& to);
bool read(const WrittenValue& written, std::string& to);
// Every element must be of the kind of the list's.
template <typename Value> bool read(const WrittenValue& written, std::vector<Value>& to)
{
    const auto elements = elementsOf(written);
    if (!elements)
        return false;
    std::vector<Value> values(elements->size());
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!read((*elements)[i], values[i]))
            return false;
    to = std::move(values);
    return true;
}

// As TOML writes them.
std::string tomlQuoted(std::string_view text);
std::string tomlNumber(double value); // with a point if it would be a whole number
// A part of a key between dots: "batch.micro" in quotes is one part, not two.
std::string tomlKeyPart(std::string_view part);
std::string tomlOf(const WrittenValue& written); // empty if no key accepts such a value

} // namespace accrue
