// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accrue {

// A word of a heading or before a value, "Test accuracy", in the language of the program. Its code
// is derived from the word: "label.test_accuracy.name".
std::string label(std::string_view english);
std::string capitalised(std::string word);
std::string heading(std::string_view name); // "Name: ", in front of what it names

// The number of terminal columns of a text: combining marks have none, East Asian wide characters
// two.
int displayWidth(std::string_view utf8);
// Control characters (a run's name may contain anything) become "?" and bytes that are not UTF-8
// \xE9, so that no text can control the terminal or break a table's row.
std::string printable(std::string_view text);
// The first `width` columns, with … if something was cut off.
std::string clipped(std::string_view text, int width);

enum class TextStyle { Plain, Bold, Good, Bad, Marked };
// With the terminal's escape sequences around it if `colours`, otherwise unchanged.
std::string styled(std::string_view text, TextStyle style, bool colours);

struct Cell {
    Cell(std::string shown, TextStyle shownAs = TextStyle::Plain)
        : text(std::move(shown))
        , style(shownAs)
    {
    }
    Cell(const char* shown)
        : text(shown)
    {
    }
    Cell(const Message& message)
        : text(message.text())
    {
    }

    std::string text;
    TextStyle style = TextStyle::Plain;
};

// Rows of text with aligned columns, two spaces between them, no spaces at a line's end.
class TextTable {
public:
    // An empty title list gives a table without a heading. The columns `right`, of numbers, are
    // aligned right, the others left.
    explicit TextTable(std::vector<std::string> titles = {}, std::set<std::size_t> right = {});
    void addRow(std::vector<Cell> cells);
    bool empty() const { return m_rows.empty(); }

    std::string render(bool colours) const;

private:
    std::vector<int> widths() const;
    void renderRow(std::string& out, const std::vector<Cell>& row, const std::vector<int>& widths,
        bool colours) const;

    std::vector<Cell> m_titles;
    std::set<std::size_t> m_right;
    std::vector<std::vector<Cell>> m_rows;
};

} // namespace accrue
