// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/run_name.h"

#include "engine/experiment/shown_text.h"

namespace accrue {

namespace {

// Where the character behind `characters` ones begins; npos: there are no more than that.
std::size_t endOf(std::string_view text, std::size_t characters)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool begins = (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
        if (begins && characters-- == 0)
            return i;
    }
    return std::string_view::npos;
}

} // namespace

bool fitsRunName(std::string_view name)
{
    // A text of bytes that begin no character is none of UTF-8, and as long as it is.
    return name.size() <= 4 * kLongestRunName && endOf(name, kLongestRunName) == std::string::npos;
}

bool isRunName(const std::string& name)
{
    return isOneLine(name) && fitsRunName(name);
}

std::string cutToRunName(const std::string& name)
{
    if (fitsRunName(name))
        return name;
    const std::string_view start = std::string_view(name).substr(0, 4 * kLongestRunName);
    return std::string(start.substr(0, endOf(start, kLongestRunName - 1))) + "…";
}

} // namespace accrue
