// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/run_name.h"

#include "engine/base/shown_text.h"
#include "engine/experiment/key_names.h"

#include <map>

namespace accrue {

bool isRunName(const std::string& name)
{
    return isOneLine(name) && endOfCharacters(name, kLongestRunName) == std::string::npos;
}

std::string cutToRunName(const std::string& name)
{
    if (endOfCharacters(name, kLongestRunName) == std::string::npos)
        return name;
    return name.substr(0, endOfCharacters(name, kLongestRunName - 1)) + "…";
}

std::string shortSetting(const std::string& key, const SettingValue& value)
{
    static const std::map<std::string, std::string> shorter { { key::batchEffective, "B" },
        { key::batchMicro, "b" }, { key::batchSteps, "N" }, { key::batchDevices, "W" },
        { key::scheduleName, "schedule" } };
    // "mnist" or "adamw" says by itself what it is.
    if (key == key::dataName || key == key::modelName || key == key::optimizerName)
        return shownSetting(value);
    const auto found = shorter.find(key);
    const std::string name =
        found != shorter.end() ? found->second : key.substr(key.rfind('.') + 1);
    return name + "=" + shownSetting(value);
}

} // namespace accrue
