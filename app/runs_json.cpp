// SPDX-License-Identifier: Apache-2.0
#include "app/runs_json.h"

namespace accrue {

using Json = nlohmann::ordered_json;

Json jsonOf(const LossDifference& difference)
{
    return { { "greatest_loss_difference", jsonOf(difference.greatest) },
        { "step", difference.step == 0 ? Json() : Json(difference.step) },
        { "updates", difference.updates } };
}

Json jsonOf(const Equivalence& equivalence)
{
    return { { "verdict", nameOf(equivalence.verdict) }, { "first", jsonOf(equivalence.first) },
        { "all", jsonOf(equivalence.all) }, { "sentence", equivalence.sentence } };
}

std::string textOf(const Json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace accrue
