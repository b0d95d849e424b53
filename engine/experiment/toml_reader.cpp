// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/toml_reader.h"

#include "engine/experiment/format.h"

#include <algorithm>
#include <cstddef>
#include <utility>

// toml++ 3.3 asserts what a file may break ("[[[": no key follows), and lets an optimiser assume it
// where assertions are off. It goes on to report the error when neither is done.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

namespace accrue {

namespace {

// Tables nest as deep as keys have parts, and toml++ destroys them by recursion: a key of half a
// million parts, which a file of 1 MiB can hold, would take the whole stack.
constexpr int kMostParts = 16;

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

// The line of the first key with more than kMostParts; 0: there is none.
int lineOfLongKey(std::string_view text)
{
    constexpr std::string_view kBetweenKeys = "\n=,[]{}";
    int parts = 1;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == '#') {
            i = endOfComment(text, i);
            continue;
        }
        if (text[i] == '"' || text[i] == '\'') {
            i = endOfString(text, i);
            continue;
        }
        if (text[i] == '.' && ++parts > kMostParts)
            return 1 + static_cast<int>(std::count(text.begin(), text.begin() + i, '\n'));
        if (kBetweenKeys.find(text[i]) != std::string_view::npos)
            parts = 1;
        ++i;
    }
    return 0;
}

// As it stands between dots: "batch.micro" in quotes is one key, not two.
std::string partOf(std::string_view key)
{
    constexpr std::string_view kBare =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const bool bare = !key.empty() && key.find_first_not_of(kBare) == std::string_view::npos;
    return bare ? std::string(key) : tomlQuoted(key);
}

// A list of thousands is not what a message should hold.
std::string shortened(const std::string& text)
{
    constexpr std::size_t kLongest = 80;
    return text.size() <= kLongest ? text : madeOneLine(text.substr(0, kLongest)) + "…";
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
        return { *value, tomlQuoted(*value), {} };
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
    const toml::source_position at = error.source().begin;
    const std::string what = "is not TOML: line " + std::to_string(at.line) + ", column "
        + std::to_string(at.column) + ": " + std::string(error.description());
    return { {}, what, static_cast<int>(at.line) };
}

} // namespace

TomlText readToml(std::string_view text, const IsKey& isKey)
{
    if (const int line = lineOfLongKey(text); line > 0)
        return { {},
            "is nested too deeply: line " + std::to_string(line) + ", a key of more than "
                + std::to_string(kMostParts) + " parts",
            line };
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

} // namespace accrue
