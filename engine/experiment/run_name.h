// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace accrue {

// Characters of UTF-8. Names are in every list, legend and row of a CSV file.
inline constexpr std::size_t kLongestRunName = 200;

bool fitsRunName(std::string_view name);
// What a run may be called: one line of text (shown_text.h) that is no longer than that.
bool isRunName(const std::string& name);
// A name from elsewhere, which may be longer: as many of its characters, the last one then "…".
std::string cutToRunName(const std::string& name);

} // namespace accrue
