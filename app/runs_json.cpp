// SPDX-License-Identifier: Apache-2.0
#include "app/runs_json.h"

#include "engine/runlog/run_json.h"

namespace accrue {

using Json = nlohmann::ordered_json;

Json jsonOf(const RunRecord& run)
{
    return Json::parse(toJson(run));
}

std::string textOf(const Json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace accrue
