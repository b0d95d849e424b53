// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/markup.h"

#include "engine/base/format.h"
#include "engine/base/shown_text.h"

namespace accrue {

std::string asMarkup(std::string_view text)
{
    std::string safe;
    for (const char c : madeOneLine(text)) {
        switch (c) {
        case '&':
            safe += "&amp;";
            break;
        case '<':
            safe += "&lt;";
            break;
        case '>':
            safe += "&gt;";
            break;
        case '"':
            safe += "&quot;";
            break;
        case '\'':
            safe += "&#39;";
            break;
        default:
            safe += c;
        }
    }
    return safe;
}

std::string linesAsMarkup(std::string_view text)
{
    std::string safe;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        safe += asMarkup(text.substr(0, end));
        if (end == std::string_view::npos)
            break;
        safe += '\n';
        text.remove_prefix(end + 1);
    }
    return safe;
}

std::string cssColour(std::uint32_t rgb)
{
    return "#" + hexadecimal(rgb, 6);
}

} // namespace accrue
