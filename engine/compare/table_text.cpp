// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/table_text.h"

#include "engine/base/format.h"
#include "engine/base/shown_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace accrue {
namespace {

using Mark = ComparisonRow::Mark;

struct Replacement {
    std::string_view from;
    std::string_view to;
};

// What Markdown would read as something else in a cell of a table.
constexpr std::array<Replacement, 8> kMarkdown { {
    { "\\", "\\\\" },
    { "|", "\\|" },
    { "*", "\\*" },
    { "_", "\\_" },
    { "`", "\\`" },
    { "<", "\\<" },
    { "[", "\\[" },
    { "]", "\\]" },
} };

// LaTeX's own signs, then those that the fonts of a plain document lack.
constexpr std::array<Replacement, 25> kLatex { {
    { "\\", "\\textbackslash{}" },
    { "&", "\\&" },
    { "%", "\\%" },
    { "$", "\\$" },
    { "#", "\\#" },
    { "_", "\\_" },
    { "{", "\\{" },
    { "}", "\\}" },
    { "~", "\\textasciitilde{}" },
    { "^", "\\textasciicircum{}" },
    { "*", "{*}" }, // these three would be arguments of the end of the line before
    { "[", "{[}" },
    { "]", "{]}" },
    { "<", "\\textless{}" },
    { ">", "\\textgreater{}" },
    { "|", "\\textbar{}" },
    { "±", "$\\pm$" },
    { "×", "$\\times$" },
    { "−", "$-$" },
    { "–", "--" },
    { "…", "\\dots{}" },
    { "†", "\\dag{}" },
    { "\u202f", "\\," },
    { "\u00a0", "~" },
    { "\u2009", "\\," },
} };

template <std::size_t N>
std::string replaced(std::string_view text, const std::array<Replacement, N>& table)
{
    std::string made;
    const std::string line = madeOneLine(text);
    for (std::string_view rest = line; !rest.empty();) {
        const auto found = std::find_if(table.begin(), table.end(),
            [&](const Replacement& each) { return rest.starts_with(each.from); });
        made += found != table.end() ? found->to : rest.substr(0, 1);
        rest.remove_prefix(found != table.end() ? found->from.size() : 1);
    }
    return made;
}

// ---- lines -------------------------------------------------------------------------------------

// A text, and whether it is the best one of its row.
struct TextCell {
    std::string text;
    bool isBest = false;
};
using Grid = std::vector<std::vector<TextCell>>;

template <typename Cell>
std::vector<std::vector<Cell>> turned(const std::vector<std::vector<Cell>>& lines)
{
    std::vector<std::vector<Cell>> other(lines.empty() ? 0 : lines.front().size());
    for (const std::vector<Cell>& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i)
            other[i].push_back(line[i]);
    return other;
}

std::string titleOf(const TableColumn& column, bool english)
{
    const std::string title = english ? column.title.english() : column.title.text();
    return column.runs.size() < 2 ? title
                                  : title + " (n = " + std::to_string(column.runs.size()) + ")";
}

TextCell shownCell(const TableCell& cell)
{
    return { cell.differenceText.empty() ? cell.text : cell.text + " (" + cell.differenceText + ")",
        cell.mark == Mark::Best };
}

Grid gridOf(const ComparisonTable& table, bool transposed)
{
    Grid grid { { TextCell {} } };
    for (const TableColumn& column : table.columns)
        grid.front().push_back({ titleOf(column, /*english=*/false) });
    for (const TableRow& row : table.rows) {
        grid.push_back({ { row.title.text() } });
        for (const TableCell& cell : row.cells)
            grid.back().push_back(shownCell(cell));
    }
    return transposed ? turned(grid) : grid;
}

// One more line for something that a row's cells have, if one of them has it.
template <typename Text>
void addLine(TextLines& lines, const TableRow& row, const std::string& title, const Text& text)
{
    std::vector<std::string> line { title };
    for (const TableCell& cell : row.cells)
        line.push_back(text(cell));
    if (std::any_of(line.begin() + 1, line.end(), [](const auto& each) { return !each.empty(); }))
        lines.push_back(std::move(line));
}

std::string exactOrNone(double value, bool isThere)
{
    return isThere && std::isfinite(value) ? exactNumber(value) : std::string();
}

void addExact(TextLines& lines, const TableRow& row)
{
    const std::string title = row.isSetting && !row.key.empty() ? row.key : row.title.english();
    lines.push_back({ title });
    for (const TableCell& cell : row.cells)
        lines.back().push_back(cell.exact);
    addLine(lines, row, title + ", step", [](const TableCell& cell) { return cell.step; });
    addLine(lines, row, title + ", half of the 95 % interval",
        [](const TableCell& cell) { return exactOrNone(cell.mean.half(), cell.mean.count > 1); });
    addLine(lines, row, title + ", n", [](const TableCell& cell) {
        return cell.mean.count > 0 ? std::to_string(cell.mean.count) : std::string();
    });
    addLine(lines, row, title + ", difference to the baseline", [](const TableCell& cell) {
        return exactOrNone(cell.difference.value_or(0), cell.difference.has_value());
    });
}

} // namespace

std::string asMarkdown(std::string_view text)
{
    return replaced(text, kMarkdown);
}

std::string asLatex(std::string_view text)
{
    return replaced(text, kLatex);
}

TextLines shownLines(const ComparisonTable& table, bool transposed)
{
    TextLines lines;
    for (const std::vector<TextCell>& row : gridOf(table, transposed)) {
        lines.emplace_back();
        for (const TextCell& cell : row)
            lines.back().push_back(cell.text);
    }
    return lines;
}

TextLines exactLines(const ComparisonTable& table, bool transposed)
{
    TextLines lines { { "key" } };
    for (const TableColumn& column : table.columns)
        lines.front().push_back(titleOf(column, /*english=*/true));
    for (const TableRow& row : table.rows)
        addExact(lines, row);
    return transposed ? turned(lines) : lines;
}

std::string markdownTable(const ComparisonTable& table, bool transposed)
{
    const Grid grid = gridOf(table, transposed);
    std::string text;
    for (std::size_t i = 0; i < grid.size(); ++i) {
        text += "|";
        for (const TextCell& cell : grid[i]) {
            const std::string shown = asMarkdown(cell.text);
            text += cell.isBest ? " **" + shown + "** |" : " " + shown + " |";
        }
        text += "\n";
        if (i == 0) {
            text += "|---|";
            for (std::size_t column = 1; column < grid[i].size(); ++column)
                text += "--:|";
            text += "\n";
        }
    }
    return text;
}

std::string latexTable(const ComparisonTable& table, bool transposed)
{
    const Grid grid = gridOf(table, transposed);
    std::string text = "% needs \\usepackage{booktabs}\n\\begin{tabular}{l"
        + std::string(grid.front().size() - 1, 'r') + "}\n\\toprule\n";
    for (std::size_t i = 0; i < grid.size(); ++i) {
        for (std::size_t column = 0; column < grid[i].size(); ++column) {
            const std::string shown = asLatex(grid[i][column].text);
            text += column == 0 ? "" : " & ";
            text += grid[i][column].isBest ? "\\textbf{" + shown + "}" : shown;
        }
        text += i == 0 ? " \\\\\n\\midrule\n" : " \\\\\n";
    }
    return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string tabSeparated(const TextLines& lines)
{
    std::string text;
    for (const std::vector<std::string>& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            std::string cell = line[i];
            for (const char between : { '\t', '\n', '\r' })
                std::replace(cell.begin(), cell.end(), between, ' ');
            text += (i == 0 ? "" : "\t") + madeOneLine(cell);
        }
        text += "\n";
    }
    return text;
}

} // namespace accrue
