// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace accrue {

// Text as the content of an element or the value of an attribute of XML or HTML: <, >, &, " and '
// are written as entities, control characters and bytes that are not UTF-8 as ?. Whatever a name
// contains, it stays text.
std::string asMarkup(std::string_view text);
// The same with its line breaks.
std::string linesAsMarkup(std::string_view text);

// "#00589c"
std::string cssColour(std::uint32_t rgb);

} // namespace accrue
