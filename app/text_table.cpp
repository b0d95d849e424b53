// SPDX-License-Identifier: Apache-2.0
#include "app/text_table.h"

#include "engine/base/language.h"
#include "engine/base/shown_text.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <utility>

namespace accrue {

namespace {

// A byte that begins no valid sequence counts as one character.
Character nextCharacter(std::string_view text)
{
    const Character first = firstCharacter(text);
    return first.length > 0 ? first : Character { 1, static_cast<unsigned char>(text[0]) };
}

// The wide blocks of East Asian scripts and emoji, roughly: an exact table would change with every
// version of Unicode and terminal.
bool isWide(std::uint32_t c)
{
    return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF)
        || (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF)
        || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60)
        || (c >= 0x1F300 && c <= 0x1FAFF);
}

bool isCombining(std::uint32_t c)
{
    return (c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || c == 0xFEFF;
}

int widthOf(std::uint32_t c)
{
    return isCombining(c) ? 0 : isWide(c) ? 2 : 1;
}
} // namespace

std::string label(std::string_view english)
{
    std::string slug;
    for (const char c : english) {
        const bool isWord = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (isWord)
            slug += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!slug.empty() && slug.back() != '_')
            slug += '_';
    }
    while (!slug.empty() && slug.back() == '_')
        slug.pop_back();
    return translated("label." + slug + ".name", english);
}

std::string heading(std::string_view name)
{
    return Message("base.heading", { { "name", std::string(name) } }).text();
}

std::string capitalised(std::string word)
{
    if (!word.empty()) // letters beyond ASCII stay unchanged
        word.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(word.front())));
    return word;
}

int displayWidth(std::string_view utf8)
{
    int width = 0;
    while (!utf8.empty()) {
        const Character next = nextCharacter(utf8);
        width += widthOf(next.point);
        utf8.remove_prefix(next.length);
    }
    return width;
}

std::string printable(std::string_view text)
{
    std::string out;
    while (!text.empty()) {
        const Character next = nextCharacter(text);
        // 202A to 202E reverse the direction of text: a name could disguise the rest of its row.
        const bool control = next.point < 0x20 || (next.point >= 0x7F && next.point < 0xA0)
            || (next.point >= 0x202A && next.point <= 0x202E);
        if (firstCharacter(text).length == 0)
            out += escapedByte(text[0]);
        else
            out += control ? "?" : text.substr(0, next.length);
        text.remove_prefix(next.length);
    }
    return out;
}

std::string clipped(std::string_view text, int width)
{
    if (displayWidth(text) <= width)
        return std::string(text);
    std::string out;
    int used = 0;
    while (!text.empty()) {
        const Character next = nextCharacter(text);
        // One column is reserved for the ellipsis.
        if (used + widthOf(next.point) > width - 1)
            break;
        used += widthOf(next.point);
        out += text.substr(0, next.length);
        text.remove_prefix(next.length);
    }
    return width > 0 ? out + "…" : std::string();
}

std::string styled(std::string_view text, TextStyle style, bool colours)
{
    if (!colours || style == TextStyle::Plain)
        return std::string(text);
    const char* code = style == TextStyle::Bold ? "1"
        : style == TextStyle::Good              ? "32"
        : style == TextStyle::Bad               ? "31"
                                                : "33";
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

TextTable::TextTable(std::vector<std::string> titles, std::set<std::size_t> right)
    : m_right(std::move(right))
{
    for (std::string& title : titles)
        m_titles.emplace_back(std::move(title), TextStyle::Bold);
}

void TextTable::addRow(std::vector<Cell> cells)
{
    for (Cell& cell : cells)
        // Here and not when rendering, so that widths count what is shown.
        cell.text = printable(cell.text);
    m_rows.push_back(std::move(cells));
}

std::vector<int> TextTable::widths() const
{
    std::vector<int> widths;
    const auto widen = [&](const std::vector<Cell>& row) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], displayWidth(row[i].text));
    };
    widen(m_titles);
    for (const std::vector<Cell>& row : m_rows)
        widen(row);
    return widths;
}

void TextTable::renderRow(std::string& out, const std::vector<Cell>& row,
    const std::vector<int>& widths, bool colours) const
{
    // Written only before the next text, so that no line ends with spaces.
    std::string gap;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const auto padding = static_cast<std::size_t>(widths[i] - displayWidth(row[i].text));
        const bool right = m_right.contains(i);
        if (right)
            gap.append(padding, ' ');
        if (!row[i].text.empty()) {
            out += std::exchange(gap, {});
            out += styled(row[i].text, row[i].style, colours);
        }
        if (!right)
            gap.append(padding, ' ');
        gap += "  ";
    }
    out += '\n';
}

std::string TextTable::render(bool colours) const
{
    const std::vector<int> columns = widths();
    std::string out;
    if (!m_titles.empty())
        renderRow(out, m_titles, columns, colours);
    for (const std::vector<Cell>& row : m_rows)
        renderRow(out, row, columns, colours);
    return out;
}

} // namespace accrue
