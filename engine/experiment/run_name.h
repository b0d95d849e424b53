// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace accrue {

// Characters of UTF-8. Names are in every list, legend and row of a CSV file.
inline constexpr std::size_t kLongestRunName = 200;

bool fitsRunName(std::string_view name);
// A name from elsewhere, which may be longer: as many of its characters, the last one then "…".
std::string cutToRunName(const std::string& name);

} // namespace accrue
