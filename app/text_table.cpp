// SPDX-License-Identifier: Apache-2.0
#include "app/text_table.h"

#include "engine/experiment/shown_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace accrue {

namespace {
struct CodePoint {
    std::uint32_t value = 0;
    std::size_t bytes = 1;
};

// A byte that begins no valid sequence counts as one character of its own.
CodePoint decode(std::string_view text)
{
    const std::size_t length = lengthOfCharacter(text);
    if (length == 0)
        return { static_cast<unsigned char>(text[0]), 1 };
    constexpr std::array<std::uint32_t, 5> kLeadBits { 0, 0x7F, 0x1F, 0x0F, 0x07 };
    std::uint32_t value = static_cast<unsigned char>(text[0]) & kLeadBits.at(length);
    for (const char c : text.substr(1, length - 1))
        value = (value << 6) | (static_cast<unsigned char>(c) & 0x3Fu);
    return { value, length };
}

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

int displayWidth(std::string_view utf8)
{
    int width = 0;
    while (!utf8.empty()) {
        const CodePoint point = decode(utf8);
        width += widthOf(point.value);
        utf8.remove_prefix(point.bytes);
    }
    return width;
}

std::string printable(std::string_view text)
{
    std::string out;
    while (!text.empty()) {
        const CodePoint point = decode(text);
        const bool control = point.value < 0x20 || (point.value >= 0x7F && point.value < 0xA0)
            || (point.value >= 0x202A && point.value <= 0x202E);
        if (lengthOfCharacter(text) == 0)
            out += escapedByte(text[0]);
        else
            out += control ? "?" : text.substr(0, point.bytes);
        text.remove_prefix(point.bytes);
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
        const CodePoint point = decode(text);
        if (used + widthOf(point.value) > width - 1)
            break;
        used += widthOf(point.value);
        out += text.substr(0, point.bytes);
        text.remove_prefix(point.bytes);
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

TextTable::TextTable(std::vector<std::string> titles)
{
    for (std::string& title : titles)
        m_titles.push_back({ std::move(title), TextStyle::Bold });
}

void TextTable::setAlign(std::size_t column, Align align)
{
    if (m_align.size() <= column)
        m_align.resize(column + 1, Align::Left);
    m_align[column] = align;
}

void TextTable::addCells(std::vector<Cell> cells)
{
    for (Cell& cell : cells)
        cell.text = printable(cell.text);
    m_rows.push_back(std::move(cells));
}

void TextTable::addRow(const std::vector<std::string>& cells)
{
    std::vector<Cell> row;
    row.reserve(cells.size());
    for (const std::string& text : cells)
        row.push_back({ text, TextStyle::Plain });
    addCells(std::move(row));
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
    std::string gap;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const auto padding = static_cast<std::size_t>(widths[i] - displayWidth(row[i].text));
        const bool right = i < m_align.size() && m_align[i] == Align::Right;
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
