// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace accrue {

// The dotted keys that recipes, `--set`, the run log, filters, CSV headers and JSON share. One
// table (keys.cpp) holds them all; reading, writing, documentation and comparison go through it.
using SettingValue =
    std::variant<bool, std::int64_t, double, std::string>; // "auto" and choices are text

struct KeyInfo {
    std::string key; // "batch.micro"
    std::string allowed; // "whole number from 1 to 1000000000, or auto", "digits, mnist or idx"
    std::string fallback; // default, as it would be written in TOML; for `name` a description
    std::string help; // one sentence
};

const std::vector<KeyInfo>& experimentKeys();

using Settings = std::vector<std::pair<std::string, SettingValue>>;

// All keys with their values, in the table's order; batch numbers that are unset are given as their
// default.
Settings settingsOf(const Experiment& experiment);
// One of them, at a fraction of that cost; empty: there is no such key.
std::optional<SettingValue> settingOf(const Experiment& experiment, std::string_view key);
// As shown to a person and written in CSV: numbers by shortest round trip, text bare.
std::string settingText(const SettingValue& value);
// The same for a person alone: "none" where the text is empty.
std::string shownSetting(const SettingValue& value);

} // namespace accrue
