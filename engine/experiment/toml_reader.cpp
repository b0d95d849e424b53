// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/toml_reader.h"

#include "engine/experiment/files.h"
#include "engine/experiment/shown_text.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

// toml++ 3.3 asserts what a file may break ("[[[": no key follows), and lets an optimiser assume it
// where assertions are off. It goes on to report the error when neither is done.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

namespace accrue {

namespace {

// The end of the comment or string that begins at `at`.
std::size_t endOfComment(std::string_view text, std::size_t at)
{
    return std::min(text.find('\n', at), text.size());
}

std::size_t endOfString(std::string_view text, std::size_t at)
{
    const char quote = text[at];
    const bool many = text.substr(at, 3) == std::string(3, quote);
    const std::string fence(many ? 3 : 1, quote);
    for (std::size_t i = at + fence.size(); i < text.size(); ++i) {
        if (text[i] == '\\' && quote == '"') {
            ++i;
        } else if (text.substr(i, fence.size()) == fence) {
            i += fence.size();
            // Up to two more belong to what the string says.
            for (int more = 0; many && more < 2 && i < text.size() && text[i] == quote; ++more)
                ++i;
            return i;
        } else if (text[i] == '\n' && !many) {
            return i; // never closed, as toml++ will say
        }
    }
    return text.size();
}

struct Fault {
    std::size_t at; // byte
    std::string what; // "is not TOML"
    std::string where; // behind its line and column
};

// Counts what nests, over what stands outside of quotes and comments. Tables nest as deep as keys
// have parts, and toml++ reads and destroys them by recursion: a key of half a million parts, which
// a file of 1 MiB can hold, would take the whole stack.
class NestingCount {
public:
    // The fault that the character makes; empty: none.
    std::string take(char c)
    {
        if (c == '.' && ++m_parts > kMostTomlParts)
            return "a key of more than " + std::to_string(kMostTomlParts) + " parts";
        if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos)
            m_parts = 1;
        if ((c == '[' || c == '{') && ++m_levels > kMostTomlLevels)
            return "more than " + std::to_string(kMostTomlLevels)
                + " lists and tables within each other";
        if (c == ']' || c == '}')
            m_levels = std::max(m_levels - 1, 0);
        return {};
    }

private:
    int m_parts = 1;
    int m_levels = 0;
};

// What the library must not be given.
std::optional<Fault> faultOf(std::string_view text)
{
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    NestingCount nesting;
    for (std::size_t i = text.starts_with(kByteOrderMark) ? 3 : 0; i < text.size();) {
        if (text[i] == '#') {
            i = endOfComment(text, i);
            continue;
        }
        if (text[i] == '"' || text[i] == '\'') {
            i = endOfString(text, i);
            continue;
        }
        // For letters from U+00A1 to U+0499 toml++ 3.3 runs into what it calls unreachable.
        if (static_cast<unsigned char>(text[i]) >= 0x80)
            return Fault { i, "is not TOML",
                shortened(
                    text.substr(i, std::max<std::size_t>(1, lengthOfCharacter(text.substr(i)))))
                    + " needs quotes around it" };
        if (const std::string deep = nesting.take(text[i]); !deep.empty())
            return Fault { i, "is nested too deeply", deep };
        ++i;
    }
    return std::nullopt;
}

// As it stands between dots: "batch.micro" in quotes is one key, not two.
std::string partOf(std::string_view key)
{
    constexpr std::string_view kBare =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const bool bare = !key.empty() && key.find_first_not_of(kBare) == std::string_view::npos;
    return bare ? std::string(key) : tomlQuoted(key);
}

WrittenValue writtenFrom(const toml::array& list);
WrittenValue writtenFrom(const toml::table& table);

WrittenValue writtenFrom(const toml::node& node)
{
    if (const auto value = node.value_exact<bool>())
        return { *value, *value ? "true" : "false", {} };
    if (const auto value = node.value_exact<std::int64_t>())
        return { *value, std::to_string(*value), {} };
    if (const auto value = node.value_exact<double>())
        return { *value, tomlText(*value), {} };
    if (const auto value = node.value_exact<std::string>())
        return { *value, shortened(tomlQuoted(*value)), {} };
    if (const toml::array* list = node.as_array())
        return writtenFrom(*list);
    if (const toml::table* table = node.as_table(); table && table->is_inline())
        return writtenFrom(*table);
    return { {}, node.is_table() ? "a section" : "a date or time", {} };
}

WrittenValue writtenFrom(const toml::array& list)
{
    std::vector<WrittenValue> elements;
    std::string shown;
    for (const toml::node& node : list) {
        elements.push_back(writtenFrom(node));
        shown += (shown.empty() ? "" : ", ") + elements.back().shown;
    }
    return { std::move(elements), shortened("[" + shown + "]"), {} };
}

WrittenValue writtenFrom(const toml::table& table)
{
    std::vector<WrittenField> fields;
    std::string shown;
    for (const auto& [key, node] : table) {
        fields.push_back({ std::string(key.str()), writtenFrom(node) });
        shown +=
            (shown.empty() ? "" : ", ") + partOf(key.str()) + " = " + fields.back().value.shown;
    }
    return { std::move(fields), shortened("{" + shown + "}"), {} };
}

using IsKey = std::function<bool(std::string_view)>;

void flatten(const toml::table& table, const std::string& prefix, const IsKey& isKey,
    std::vector<TomlEntry>& to)
{
    for (const auto& [key, node] : table) {
        const std::string dotted = prefix + partOf(key.str());
        const int line = static_cast<int>(key.source().begin.line);
        const toml::table* inner = node.as_table();
        if (inner && !inner->empty() && !(inner->is_inline() && isKey(dotted)))
            flatten(*inner, dotted + ".", isKey, to);
        else
            to.push_back({ dotted, line, writtenFrom(node), inner && inner->empty() });
    }
}

TomlText problemOf(const toml::parse_error& error)
{
    constexpr std::size_t kMost = 200; // characters; the library quotes keys
    const toml::source_position at = error.source().begin;
    const std::string what = "is not TOML: line " + std::to_string(at.line) + ", column "
        + std::to_string(at.column) + ": " + shortened(error.description(), kMost);
    return { {}, what, static_cast<int>(at.line) };
}

TomlText problemOf(const Fault& fault, std::string_view text)
{
    const std::string_view before = text.substr(0, fault.at);
    const auto line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    return { {}, fault.what + ": line " + std::to_string(line) + ", " + fault.where, line };
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t";
    const std::size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
    return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// The text as the value of a key; empty where it is none, or goes on behind it.
std::optional<WrittenValue> tomlValue(std::string_view text)
{
    const auto isValue = [](std::string_view key) { return key == "value"; };
    if (text.find('\n') != std::string_view::npos) // may be another key
        return std::nullopt;
    TomlText read = readToml("value = " + std::string(text), isValue);
    if (read.entries.size() != 1 || read.entries.front().emptyTable)
        return std::nullopt;
    return std::move(read.entries.front().value);
}

bool isNumber(const WrittenValue& written)
{
    return std::holds_alternative<std::int64_t>(written.value)
        || std::holds_alternative<double>(written.value);
}

} // namespace

const TomlEntry* TomlText::find(std::string_view key) const
{
    const auto found = std::find_if(
        entries.begin(), entries.end(), [key](const TomlEntry& entry) { return entry.key == key; });
    return found == entries.end() ? nullptr : &*found;
}

TomlText readToml(std::string_view text, const IsKey& isKey)
{
    if (text.size() > kLargestTextFile)
        return { {}, "is larger than 1 MiB, the most that TOML may have", 0 };
    if (const auto fault = faultOf(text))
        return problemOf(*fault, text);
    try {
        const toml::table table = toml::parse(text);
        TomlText read;
        flatten(table, {}, isKey, read.entries);
        std::stable_sort(read.entries.begin(), read.entries.end(),
            [](const TomlEntry& a, const TomlEntry& b) { return a.line < b.line; });
        return read;
    } catch (const toml::parse_error& error) {
        return problemOf(error);
    }
}

WrittenValue writtenFromSetting(std::string_view text)
{
    const std::string_view value = trimmed(text);
    const char first = value.empty() ? ' ' : value.front();
    if (first == '[' || first == '{' || first == '"')
        if (auto written = tomlValue(value))
            return *written;
    WrittenValue written = writtenFromText(value);
    if (!isNumber(written)
        && std::string_view("+-0123456789").find(first) != std::string_view::npos)
        if (const auto number = tomlValue(value); number && isNumber(*number))
            written.value = number->value;
    return written;
}

} // namespace accrue
