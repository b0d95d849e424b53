// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/setting_value.h"

#include <cstddef>
#include <string>

namespace accrue {

// Characters of UTF-8. Names are in every list, legend and row of a CSV file.
inline constexpr std::size_t kLongestRunName = 200;

// A valid name of a run: one line of text (shown_text.h) that is no longer than that.
bool isRunName(const std::string& name);
// A name from elsewhere, which may be longer: cut to that length, with "…" as its last character.
std::string cutToRunName(const std::string& name);

// A setting as part of a name: "b=32"; where the value alone shows what it is, only that: "mnist".
std::string shortSetting(const std::string& key, const SettingValue& value);

} // namespace accrue
