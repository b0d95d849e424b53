// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/comparison_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// A table of a comparison as text for other programs. All functions are pure.

using TextLines = std::vector<std::vector<std::string>>; // all of the same length

// With its titles, as it is seen; a difference is in brackets behind its value. `transposed`: a
// line for each column.
TextLines shownLines(const ComparisonTable& table, bool transposed);
// For writeCsv: exact values, in English, keys as recipes have them. The step of a best value, what
// a mean is of, and a difference have lines of their own below it.
TextLines exactLines(const ComparisonTable& table, bool transposed);

// As GitHub and most others read it, the best of a row in bold.
std::string markdownTable(const ComparisonTable& table, bool transposed);
// A tabular with the rules of the package booktabs, the best of a row in bold.
std::string latexTable(const ComparisonTable& table, bool transposed);

// A cell of each, whatever it contains.
std::string asMarkdown(std::string_view text);
std::string asLatex(std::string_view text);
// Cells separated by tabs, for spreadsheets: a tab or line break within one becomes a blank.
std::string tabSeparated(const TextLines& lines);

} // namespace accrue
