// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/keys.h"

#include <nlohmann/json_fwd.hpp>

namespace accrue {

// Values as every JSON of the project writes them. JSON has no non-finite numbers: they are the
// strings "nan", "inf", "-inf".
nlohmann::ordered_json jsonOf(double value);
nlohmann::ordered_json jsonOf(const SettingValue& value);
// Every key with its value, in their order, for an experiment that of the table.
nlohmann::ordered_json settingsJson(const Settings& settings);
nlohmann::ordered_json settingsJson(const Experiment& experiment);

} // namespace accrue
