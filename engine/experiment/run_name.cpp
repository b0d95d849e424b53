// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/run_name.h"

#include "engine/base/shown_text.h"

namespace accrue {

bool fitsRunName(std::string_view name)
{
    return endOfCharacters(name, kLongestRunName) == std::string_view::npos;
}

bool isRunName(const std::string& name)
{
    return isOneLine(name) && fitsRunName(name);
}

std::string cutToRunName(const std::string& name)
{
    if (fitsRunName(name))
        return name;
    return name.substr(0, endOfCharacters(name, kLongestRunName - 1)) + "…";
}

} // namespace accrue
