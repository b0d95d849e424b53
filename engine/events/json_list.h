// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <nlohmann/json.hpp>

namespace accrue {

// A JSON array of what `jsonOfOne` makes of each element of `range`, in their order.
template <typename Range, typename Convert>
nlohmann::ordered_json jsonList(const Range& range, Convert jsonOfOne)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& one : range)
        list.push_back(std::invoke(jsonOfOne, one));
    return list;
}

} // namespace accrue
