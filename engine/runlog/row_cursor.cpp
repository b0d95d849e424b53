// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/row_cursor.h"

#include "engine/runlog/stored_number.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

std::int64_t RowCursor::integer()
{
    return m_statement.getColumn(m_next++).getInt64();
}

std::string RowCursor::text()
{
    return m_statement.getColumn(m_next++).getString();
}

double RowCursor::number()
{
    return storedNumber(m_statement.getColumn(m_next++));
}

std::optional<double> RowCursor::optional()
{
    return storedOptional(m_statement.getColumn(m_next++));
}

} // namespace accrue
