// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/query.h"

#include "engine/logfile/stored_number.h"

#include <utility>

#include <SQLiteCpp/Column.h>

namespace accrue {

bool Query::next()
{
    m_next = 0;
    return m_statement.executeStep();
}

std::int64_t Query::integer()
{
    return m_statement.getColumn(m_next++).getInt64();
}

std::string Query::text()
{
    return m_statement.getColumn(m_next++).getString();
}

double Query::number()
{
    return storedNumber(m_statement.getColumn(m_next++));
}

std::optional<double> Query::optional()
{
    const SQLite::Column column = m_statement.getColumn(m_next++);
    return column.isNull() ? std::nullopt : std::optional(storedNumber(column));
}

Message Query::message()
{
    // In this order: the arguments of a call are evaluated in any order, but the columns must be
    // read from left to right.
    std::string english = text();
    std::string code = text();
    return Message::logged(std::move(code), std::move(english), text());
}

} // namespace accrue
