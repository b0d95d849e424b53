// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/html_table.h"

#include "engine/base/format.h"
#include "engine/compare/markup.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace accrue {
namespace {

// What is not finite is sorted as if it were missing.
std::string markupOf(const HtmlCell& cell)
{
    std::string kind = cell.isBest ? "best" : "";
    if (cell.number && !cell.isName)
        kind += kind.empty() ? "number" : " number";
    std::string tag = "<td";
    if (!kind.empty())
        tag += " class=\"" + kind + "\"";
    if (cell.number && std::isfinite(*cell.number))
        tag += " data-value=\"" + exactNumber(*cell.number) + "\"";
    return tag + ">" + cell.swatch + asMarkup(cell.text) + "</td>";
}

} // namespace

HtmlTable::HtmlTable(std::vector<std::string> titles)
    : m_titles(std::move(titles))
{
}

void HtmlTable::addRow(std::vector<HtmlCell> cells)
{
    m_rows.push_back(std::move(cells));
}

bool HtmlTable::isNumeric(std::size_t column) const
{
    return std::any_of(m_rows.begin(), m_rows.end(), [column](const auto& row) {
        return column < row.size() && row[column].number && !row[column].isName;
    });
}

std::string HtmlTable::render() const
{
    std::string html = "<div class=\"wide\"><table>\n<thead><tr>";
    for (std::size_t column = 0; column < m_titles.size(); ++column)
        html += std::string("<th scope=\"col\"") + (isNumeric(column) ? " class=\"number\"" : "")
            + "><button type=\"button\">" + asMarkup(m_titles[column]) + "</button></th>";
    html += "</tr></thead>\n<tbody>\n";
    for (const auto& row : m_rows) {
        html += "<tr>";
        for (const HtmlCell& cell : row)
            html += markupOf(cell);
        html += "</tr>\n";
    }
    return html + "</tbody>\n</table></div>\n";
}

} // namespace accrue
