// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/row_binder.h"

#include "engine/runlog/stored_number.h"

#include <string>

#include <SQLiteCpp/Statement.h>

namespace accrue {

void runRow(SQLite::Statement& statement)
{
    try {
        statement.exec();
    } catch (...) {
        statement.tryReset();
        throw;
    }
    statement.reset();
}

RowBinder& RowBinder::integer(std::int64_t value)
{
    m_statement.bind(m_next++, value);
    return *this;
}

RowBinder& RowBinder::text(std::string_view value)
{
    m_statement.bind(m_next++, std::string(value));
    return *this;
}

RowBinder& RowBinder::number(double value)
{
    bindNumber(m_statement, m_next++, value);
    return *this;
}

} // namespace accrue
