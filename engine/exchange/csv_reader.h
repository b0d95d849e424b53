// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/input_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// Reads a CSV file of any program row by row: quoted cells with doubled quotes, line breaks within
// quotes, lines that end in LF, CRLF or CR, a byte order mark. Throws Error if the file cannot be
// read, and RunLogError, naming the line, for what is no CSV: text in UTF-16, NUL bytes, a quote
// that is never closed. One thread.
class CsvReader {
public:
    // `delimiter`: between cells; see delimiterOf.
    CsvReader(const std::filesystem::path& file, char delimiter);

    // Replaces `cells` by those of the next row; false: there are no more. Empty lines are skipped.
    bool next(std::vector<std::string>& cells);
    std::int64_t line() const { return m_line; } // at which the last row began, from 1

private:
    int take(); // the next byte; -1 at the end
    int peek();
    void readQuoted(std::string& cell);
    bool takeLineBreak(); // false: something else is next

    const std::filesystem::path m_file;
    const char m_delimiter;
    InputFile m_input;
    std::vector<char> m_buffer;
    std::size_t m_at = 0;
    std::size_t m_end = 0;
    std::int64_t m_lines = 1; // begun so far
    std::int64_t m_line = 0;
};

// Which of comma, semicolon, tab and vertical bar is most frequent outside of quotes in the first
// line; a comma if there is none.
char delimiterOf(const std::filesystem::path& file);

// A number as programs write it in CSV, with a point or, if `decimalComma`, a comma; also nan and
// inf. Empty: it is none. Pure.
std::optional<double> numberInCell(std::string_view cell, bool decimalComma);
// A cell without a value: empty, NA, N/A, null, NULL, None or -.
bool isMissing(std::string_view cell);
// Without blanks at both ends.
std::string_view trimmed(std::string_view cell);

} // namespace accrue
