// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/stored_number.h"

#include <cstdint>
#include <optional>
#include <string>

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

// Reads the columns of the current row from left to right, so that the order of the SELECT is the
// order of the code below it.
class RowCursor {
public:
    explicit RowCursor(SQLite::Statement& statement)
        : m_statement(statement)
    {
    }
    std::int64_t integer() { return m_statement.getColumn(m_next++).getInt64(); }
    std::string text() { return m_statement.getColumn(m_next++).getString(); }
    double number() { return storedNumber(m_statement.getColumn(m_next++)); }
    std::optional<double> optional() { return storedOptional(m_statement.getColumn(m_next++)); }

private:
    SQLite::Statement& m_statement;
    int m_next = 0;
};

} // namespace accrue
