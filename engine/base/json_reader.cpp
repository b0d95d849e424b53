// SPDX-License-Identifier: Apache-2.0
#include "engine/base/json_reader.h"

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::json;

namespace {

// Checks what the parser meets before the parser stores it. The library itself would accept any
// depth, and the last value of a key that is named twice.
class Watch {
public:
    explicit Watch(const JsonLimits& limits)
        : m_limits(limits)
    {
    }

    template <typename Kind> void take(int depth, Json::parse_event_t event, const Kind& parsed)
    {
        using enum nlohmann::detail::parse_event_t;
        if (event == object_start || event == array_start)
            open(depth);
        else if (event == key)
            name(parsed.template get_ref<const std::string&>());
        else if (event == object_end || event == array_end)
            m_names.pop_back();
    }

private:
    void open(int depth)
    {
        if (depth >= m_limits.levels)
            throw JsonError(Message("json.too_deep", { { "levels", m_limits.levels } }));
        m_names.emplace_back();
    }

    // Which of two values is meant is unknown, and two readers could choose differently.
    void name(const std::string& name)
    {
        if (!m_names.back().insert(name).second)
            throw JsonError(Message("json.twice", { { "name", shortened(name) } }));
    }

    const JsonLimits m_limits;
    std::vector<std::set<std::string>> m_names; // of each object or list that is open
};

// The same for both kinds of objects.
template <typename Kind> Kind parsed(std::string_view text, const JsonLimits& limits)
{
    if (text.size() > limits.bytes)
        throw JsonError(Message("json.too_large", { { "bytes", limits.bytes } }));
    Watch watch(limits);
    const auto callback = [&watch](int depth, Json::parse_event_t event, const Kind& value) {
        watch.take(depth, event, value);
        return true;
    };
    try {
        return Kind::parse(text, callback);
        // The library's text quotes the input, which may come from anybody: only the place is
        // reported.
    } catch (const typename Kind::parse_error& error) {
        throw JsonError(Message("json.not_json", { { "byte", error.byte } }));
    } catch (const typename Kind::exception&) { // the only one apart from parse_error: 1e999
        throw JsonError(Message("json.number"));
    }
}

} // namespace

Json readJson(std::string_view text, const JsonLimits& limits)
{
    return parsed<Json>(text, limits);
}

nlohmann::ordered_json readOrderedJson(std::string_view text, const JsonLimits& limits)
{
    return parsed<nlohmann::ordered_json>(text, limits);
}

} // namespace accrue
