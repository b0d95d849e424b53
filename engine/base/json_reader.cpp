// SPDX-License-Identifier: Apache-2.0
#include "engine/base/json_reader.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::json;

namespace {

// Checks what the parser meets before the parser stores it. The library itself would accept any
// depth, and the last value of a key that is named twice.
struct Watch {
    int levels;
    std::vector<std::set<std::string>> names {}; // of each object or list that is open

    template <typename Kind>
    bool operator()(int depth, Json::parse_event_t event, const Kind& parsed)
    {
        using enum nlohmann::detail::parse_event_t;
        if (event == object_start || event == array_start) {
            if (depth >= levels)
                throw JsonError(Message("json.too_deep", { { "levels", levels } }));
            names.emplace_back();
        } else if (event == key) {
            // Which of two values is meant is unknown, and two readers could choose differently.
            const auto& name = parsed.template get_ref<const std::string&>();
            if (!names.back().insert(name).second)
                throw JsonError(Message("json.twice", { { "name", shortened(name) } }));
        } else if (event == object_end || event == array_end) {
            names.pop_back();
        }
        return true;
    }
};

// The same for both kinds of objects.
template <typename Kind> Kind parsed(std::string_view text, const JsonLimits& limits)
{
    if (text.size() > limits.bytes)
        throw JsonError(Message("json.too_large", { { "bytes", limits.bytes } }));
    try {
        Watch watch { limits.levels };
        return Kind::parse(text, std::ref(watch));
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
