// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/run_name.h"

#include "engine/base/shown_text.h"

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

} // namespace accrue
