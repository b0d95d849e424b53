// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/query.h"

#include <limits>
#include <string_view>
#include <utility>

#include <SQLiteCpp/Column.h>

namespace accrue {

namespace {

double numberIn(const SQLite::Column& column)
{
    if (column.isFloat() || column.isInteger())
        return column.getDouble();
    // Anything else in the column is damage or another program's; NaN shows it as missing.
    const std::string_view text = column.isText() ? column.getText() : "nan";
    if (text == "inf")
        return std::numeric_limits<double>::infinity();
    if (text == "-inf")
        return -std::numeric_limits<double>::infinity();
    return std::numeric_limits<double>::quiet_NaN();
}

} // namespace

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
    return numberIn(m_statement.getColumn(m_next++));
}

std::optional<double> Query::optional()
{
    const SQLite::Column column = m_statement.getColumn(m_next++);
    return column.isNull() ? std::nullopt : std::optional(numberIn(column));
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
