// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace SQLite {
class Statement;
}

namespace accrue {

// Runs a statement that gives no rows, and resets it also where it fails: one left on its way takes
// no more values, so that every later try would fail, too. Throws SQLite::Exception.
void runRow(SQLite::Statement& statement);

// Binds the values of a statement from left to right, so that the order of the columns is the order
// of the code below it. `statement` is borrowed. Doubles are those of stored_number.h.
class RowBinder {
public:
    explicit RowBinder(SQLite::Statement& statement)
        : m_statement(statement)
    {
    }
    RowBinder& integer(std::int64_t value);
    RowBinder& text(std::string_view value);
    RowBinder& number(double value);

private:
    SQLite::Statement& m_statement;
    int m_next = 1;
};

} // namespace accrue
