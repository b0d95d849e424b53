// SPDX-License-Identifier: Apache-2.0
#include "app/runs_json.h"

#include "engine/experiment/format.h"
#include "engine/runlog/run_json.h"

#include <cmath>

namespace accrue {

using Json = nlohmann::ordered_json;

Json jsonOf(const RunRecord& run)
{
    return Json::parse(toJson(run));
}

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

std::string textOf(const Json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace accrue
