// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/toml_reader.h"

#include "engine/experiment/format.h"

#include <algorithm>

// toml++ 3.3 asserts what a file may break ("[[[": no key follows), and lets an optimiser assume it
// where assertions are off. It goes on to report the error when neither is done.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

namespace accrue {

namespace {

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
    if (node.is_array())
        return { {}, "a list", {} };
    return { {}, node.is_table() ? "a section" : "a date or time", {} };
}

void flatten(const toml::table& table, const std::string& prefix, std::vector<TomlEntry>& to)
{
    for (const auto& [key, node] : table) {
        const std::string dotted = prefix + std::string(key.str());
        const int line = static_cast<int>(key.source().begin.line);
        const toml::table* inner = node.as_table();
        if (inner && !inner->empty())
            flatten(*inner, dotted + ".", to);
        else
            to.push_back({ dotted, line, writtenFrom(node), inner != nullptr });
    }
}

TomlText problemOf(const toml::parse_error& error)
{
    const toml::source_position at = error.source().begin;
    const std::string where = "line " + std::to_string(at.line) + ", column "
        + std::to_string(at.column) + ": " + std::string(error.description());
    return { {}, where, static_cast<int>(at.line) };
}

} // namespace

TomlText readToml(std::string_view text)
{
    try {
        const toml::table table = toml::parse(text);
        TomlText read;
        flatten(table, {}, read.entries);
        std::stable_sort(read.entries.begin(), read.entries.end(),
            [](const TomlEntry& a, const TomlEntry& b) { return a.line < b.line; });
        return read;
    } catch (const toml::parse_error& error) {
        return problemOf(error);
    }
}

} // namespace accrue
