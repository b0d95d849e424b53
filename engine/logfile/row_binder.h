// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/logfile/sqlite_types.h"
#include "engine/runs/run_record.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// Columns in the order in which their values are bound.
using Columns = std::vector<std::string>;

std::string listOf(const Columns& columns, std::string_view behindEach = {}); // "step, samples"
// "INSERT OR IGNORE INTO epochs (run_id, step) VALUES (?, ?)": `how` is the text before the first
// parenthesis, `rows` the number of rows that one statement inserts.
std::string insertText(std::string_view how, const Columns& columns, std::size_t rows = 1);

// Runs a statement without result rows, and resets it even if it fails: an unfinished statement
// accepts no more values, so every later attempt would fail, too. Throws SQLite::Exception.
void runRow(SQLite::Statement& statement);

// Binds the values of a statement from left to right, so that the order of the columns is the order
// of the code below it. `statement` is borrowed. Doubles are in ANY columns: a finite value is a
// REAL, the others are the texts 'nan', 'inf' and '-inf' (SQLite would turn NaN into NULL), NULL is
// an absent value.
class RowBinder {
public:
    explicit RowBinder(SQLite::Statement& statement)
        : m_statement(statement)
    {
    }
    // A flag is 0 or 1. A message is three columns: English text, code, arguments. The text is for
    // readers of the file with another program, and for a version of Accrue that does not have the
    // code.
    template <typename... Values> RowBinder& bind(const Values&... values)
    {
        (bindOne(values), ...);
        return *this;
    }
    void run() { runRow(m_statement); }

private:
    void bindOne(std::integral auto value) { bindInteger(static_cast<std::int64_t>(value)); }
    void bindOne(RunId run) { bindInteger(numberOf(run)); }
    void bindOne(const std::optional<RunId>& run);
    void bindOne(double value);
    void bindOne(const std::optional<double>& value);
    void bindOne(std::string_view value);
    void bindOne(const Message& value);
    void bindInteger(std::int64_t value);

    SQLite::Statement& m_statement;
    int m_next = 1;
};

} // namespace accrue
