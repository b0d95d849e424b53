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

    void take(int depth, Json::parse_event_t event, const Json& parsed)
    {
        using enum nlohmann::detail::parse_event_t;
        if (event == object_start || event == array_start)
            open(depth);
        else if (event == key)
            name(parsed.get_ref<const std::string&>());
        else if (event == object_end || event == array_end)
            m_names.pop_back();
    }

private:
    void open(int depth)
    {
        if (depth >= m_limits.levels)
            throw JsonError(
                "is nested too deeply, at most " + std::to_string(m_limits.levels) + " levels");
        m_names.emplace_back();
    }

    void name(const std::string& name)
    // Which of two values is meant is unknown, and two readers could choose differently.
    {
        if (!m_names.back().insert(name).second)
            throw JsonError("names \"" + shortened(name) + "\" twice");
    }

    const JsonLimits m_limits;
    std::vector<std::set<std::string>> m_names; // of each object or list that is open
};

} // namespace

Json readJson(std::string_view text, const JsonLimits& limits)
{
    if (text.size() > limits.bytes)
        throw JsonError("is larger than " + std::to_string(limits.bytes) + " bytes");
    Watch watch(limits);
    const auto callback = [&watch](int depth, Json::parse_event_t event, const Json& parsed) {
        watch.take(depth, event, parsed);
        return true;
    };
    try {
        return Json::parse(text, callback);
        // The library's text quotes the input, which may come from anybody: only the place is
        // reported.
    } catch (const Json::parse_error& error) {
        throw JsonError("is not JSON: byte " + std::to_string(error.byte) + " fits nothing");
    } catch (const Json::exception&) { // the only one apart from parse_error: 1e999
        throw JsonError("holds a number that is too large");
    }
}

} // namespace accrue
