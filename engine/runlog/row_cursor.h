// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace SQLite {
class Statement;
}

namespace accrue {

// Reads the columns of a statement's current row from left to right, so that the order of the
// SELECT is the order of the code below it. `statement` is borrowed. Doubles are those of
// stored_number.h.
class RowCursor {
public:
    explicit RowCursor(SQLite::Statement& statement)
        : m_statement(statement)
    {
    }
    std::int64_t integer();
    std::string text();
    double number();
    std::optional<double> optional();

private:
    SQLite::Statement& m_statement;
    int m_next = 0;
};

} // namespace accrue
