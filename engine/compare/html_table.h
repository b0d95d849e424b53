// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace accrue {

// A table of a page that the page's script sorts by a click on a heading. Texts are escaped.
struct HtmlCell {
    HtmlCell(std::string shown)
        : text(std::move(shown))
    {
    }
    HtmlCell(const char* shown)
        : text(shown)
    {
    }
    HtmlCell(const Message& message)
        : text(message.text())
    {
    }
    HtmlCell(std::string shown, double value)
        : text(std::move(shown))
        , number(value)
    {
    }

    std::string text;
    std::optional<double> number {}; // by which it is sorted; also aligned to the right
    bool isName = false; // on the left, whatever it is sorted by
    bool isBest = false;
    std::string swatch {}; // markup before the text
};

class HtmlTable {
public:
    explicit HtmlTable(std::vector<std::string> titles);
    void addRow(std::vector<HtmlCell> cells);
    bool empty() const { return m_rows.empty(); }
    std::string render() const; // <table …>…</table>

private:
    bool isNumeric(std::size_t column) const;

    std::vector<std::string> m_titles;
    std::vector<std::vector<HtmlCell>> m_rows;
};

} // namespace accrue
