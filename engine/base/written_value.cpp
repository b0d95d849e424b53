// SPDX-License-Identifier: Apache-2.0
#include "engine/base/written_value.h"

#include "engine/base/format.h"
#include "engine/base/shown_text.h"

#include <algorithm>
#include <charconv>

namespace accrue {

namespace {

// The whole `text` as a number, in the C locale. from_chars does not accept +, which people write.
template <typename Number> bool readsWhole(std::string_view text, Number& to)
{
    if (text.size() > 1 && text[0] == '+' && text[1] != '-')
        text.remove_prefix(1);
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, to);
    return result.ec == std::errc {} && result.ptr == end;
}

template <typename Value> bool readExactly(const WrittenValue& written, Value& to)
{
    const Value* value = std::get_if<Value>(&written.value);
    if (value != nullptr)
        to = *value;
    return value != nullptr;
}

struct TomlWriter {
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return tomlNumber(value); }
    std::string operator()(const std::string& value) const { return tomlQuoted(value); }
    std::string operator()(const std::vector<WrittenValue>& elements) const
    {
        std::string text;
        for (const WrittenValue& element : elements)
            text += (text.empty() ? "" : ", ") + tomlOf(element);
        return "[" + text + "]";
    }
    std::string operator()(const std::vector<WrittenField>& fields) const
    {
        std::string text;
        for (const auto& [name, value] : fields)
            text += (text.empty() ? "" : ", ") + tomlKeyPart(name) + " = " + tomlOf(value);
        return "{" + text + "}";
    }
};

} // namespace

WrittenValue writtenFromText(std::string_view text)
{
    const std::string shown = text.empty() ? "empty" : shortened(text);
    WrittenValue written { std::string(text), shown, std::string(text) };
    std::int64_t whole = 0;
    double number = 0;
    // Whole numbers are tried before others, because a double has only 53 bits for them.
    if (text == "true" || text == "false")
        written.value = text == "true";
    else if (readsWhole(text, whole))
        written.value = whole;
    else if (readsWhole(text, number))
        written.value = number;
    return written;
}

std::string_view trimmed(std::string_view text, std::string_view blanks)
{
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::vector<std::string_view> partsOf(std::string_view text, char separator)
{
    // Blanks after the last separator are not a part.
    std::vector<std::string_view> parts;
    while (text.find_first_not_of(' ') != std::string_view::npos) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.push_back(trimmed(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

std::optional<std::vector<WrittenValue>> elementsOf(const WrittenValue& written)
{
    if (const auto* elements = std::get_if<std::vector<WrittenValue>>(&written.value))
        return *elements;
    // A list of one table may be written without its brackets.
    if (std::holds_alternative<std::vector<WrittenField>>(written.value))
        return std::vector { written };
    // Only bare text is split at commas: a TOML string may contain them.
    if (!written.bare)
        return {};
    if (!std::holds_alternative<std::string>(written.value)) // one number, perhaps as 1_000
        return std::vector { written };
    std::vector<WrittenValue> elements;
    for (const std::string_view part : partsOf(*written.bare, ','))
        elements.push_back(writtenFromText(part));
    return elements;
}

bool read(const WrittenValue& written, bool& to)
{
    return readExactly(written, to);
}

bool read(const WrittenValue& written, std::int64_t& to)
{
    return readExactly(written, to);
}

bool read(const WrittenValue& written, std::uint64_t& to)
{
    std::int64_t whole = -1;
    if (!readExactly(written, whole) || whole < 0)
        return false;
    to = static_cast<std::uint64_t>(whole);
    return true;
}

// A whole number is also a valid fraction: lr = 1.
bool read(const WrittenValue& written, double& to)
{
    std::int64_t whole = 0;
    if (!readExactly(written, whole))
        return readExactly(written, to);
    to = static_cast<double>(whole);
    return true;
}

bool read(const WrittenValue& written, std::string& to)
{
    if (!written.bare)
        return readExactly(written, to);
    to = *written.bare;
    return true;
}

// Bytes beyond ASCII stay unchanged: TOML is UTF-8.
std::string tomlQuoted(std::string_view text)
{
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string quoted = "\"";
    for (const char c : text) {
        const unsigned char byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            quoted += '\\';
            quoted += c;
        } else if (byte < 0x20 || byte == 0x7f) {
            quoted += "\\u00";
            quoted += kHex[byte >> 4];
            quoted += kHex[byte & 0xf];
        } else {
            quoted += c;
        }
    }
    return quoted + '"';
}

std::string tomlNumber(double value)
{
    std::string text = exactNumber(value);
    // Digits alone would be a whole number to TOML, and may be beyond its 64 bits.
    if (text.find_first_not_of("-0123456789") == std::string::npos)
        text += ".0";
    return text;
}

std::string tomlKeyPart(std::string_view part)
{
    constexpr std::string_view kBare =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const bool bare = !part.empty() && part.find_first_not_of(kBare) == std::string_view::npos;
    return bare ? std::string(part) : tomlQuoted(part);
}

std::string tomlOf(const WrittenValue& written)
{
    if (std::holds_alternative<std::monostate>(written.value)) // if no key accepts it, its kind
        return written.shown;
    return std::visit(TomlWriter {}, written.value);
}

} // namespace accrue
