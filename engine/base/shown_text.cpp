// SPDX-License-Identifier: Apache-2.0
#include "engine/base/shown_text.h"

#include <algorithm>
#include <iterator>

namespace accrue {

namespace {

bool isControl(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
}

} // namespace

// RFC 3629: the upper bits of the first byte determine how many follow, each with six bits. Text
// from outside reaches terminals and SQL, so every form that decoders might read in two ways is
// refused.
Character firstCharacter(std::string_view text)
{
    struct Form {
        unsigned char mask, lead;
        std::uint32_t least; // anything smaller has a shorter form
    };
    constexpr Form kForms[] = { { 0x80, 0x00, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 },
        { 0xf8, 0xf0, 0x10000 } };
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    for (std::size_t length = 1; length <= std::size(kForms) && length <= text.size(); ++length) {
        const Form& form = kForms[length - 1];
        if ((byte(0) & form.mask) != form.lead)
            continue;
        std::uint32_t point = byte(0) & static_cast<unsigned char>(~form.mask);
        for (std::size_t i = 1; i < length; ++i) {
            if ((byte(i) & 0xc0) != 0x80)
                return {};
            point = point << 6 | (byte(i) & 0x3f);
        }
        const bool surrogate = point >= 0xd800 && point <= 0xdfff;
        const bool whole = point >= form.least && point <= 0x10ffff && !surrogate;
        return whole ? Character { length, point } : Character {};
    }
    return {};
}

bool isUtf8(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = firstCharacter(text).length;
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

bool isOneLine(const std::string& text)
{
    return isUtf8(text) && std::none_of(text.begin(), text.end(), isControl);
}

std::size_t endOfCharacters(std::string_view text, std::size_t count)
{
    for (std::size_t at = 0; at < text.size();) {
        if (count-- == 0)
            return at;
        // A byte that is not UTF-8 counts as one character, so that the loop always advances.
        at += std::max<std::size_t>(firstCharacter(text.substr(at)).length, 1);
    }
    return std::string_view::npos;
}

std::string_view firstBytes(std::string_view text, std::size_t most)
{
    std::size_t end = 0;
    while (end < text.size()) {
        const std::size_t next =
            end + std::max<std::size_t>(firstCharacter(text.substr(end)).length, 1);
        if (next > most)
            break;
        end = next;
    }
    return text.substr(0, end);
}

std::string madeOneLine(std::string_view text)
{
    std::string line;
    while (!text.empty()) {
        const std::size_t length = firstCharacter(text).length;
        const bool held = length > 0 && !isControl(text[0]);
        line += held ? text.substr(0, length) : "?";
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return line;
}

std::string escapedByte(char byte)
{
    constexpr std::string_view kHex = "0123456789ABCDEF";
    const auto value = static_cast<unsigned char>(byte);
    return { '\\', 'x', kHex[value >> 4], kHex[value & 0xf] };
}

// Counts characters and not bytes, so that a name in Chinese is not cut to a third.
std::string shortened(std::string_view text, std::size_t most)
{
    std::string shown;
    for (std::size_t count = 0; !text.empty(); ++count) {
        if (count == most)
            return shown + "…";
        const std::size_t length = firstCharacter(text).length;
        if (length == 0)
            shown += escapedByte(text[0]);
        else
            shown += isControl(text[0]) ? "?" : text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return shown;
}

} // namespace accrue
