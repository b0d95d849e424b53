// SPDX-License-Identifier: Apache-2.0
#include "engine/events/json_value.h"

#include "engine/base/format.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;

// The library would write null, as if there were no value.
Json jsonOf(double value)
{
    return std::isfinite(value) ? Json(value) : Json(exactNumber(value));
}

Json jsonOf(const SettingValue& value)
{
    if (const auto* number = std::get_if<double>(&value))
        return jsonOf(*number);
    return std::visit([](const auto& plain) { return Json(plain); }, value);
}

Json settingsJson(const Settings& settings)
{
    Json object = Json::object();
    for (const auto& [key, value] : settings)
        object[key] = jsonOf(value);
    return object;
}

Json settingsJson(const Experiment& experiment)
{
    return settingsJson(settingsOf(experiment));
}

} // namespace accrue
