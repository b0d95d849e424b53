// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/row_binder.h"

#include "engine/events/event_json.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include <SQLiteCpp/Statement.h>

namespace accrue {

std::string listOf(const Columns& columns, std::string_view behindEach)
{
    std::string list;
    for (const std::string& column : columns)
        list += (list.empty() ? "" : ", ") + column + std::string(behindEach);
    return list;
}

std::string insertText(std::string_view how, const Columns& columns, std::size_t rows)
{
    const std::string row = "(" + listOf(Columns(columns.size(), "?")) + ")";
    return std::string(how) + " (" + listOf(columns) + ") VALUES " + listOf(Columns(rows, row));
}

void runRow(SQLite::Statement& statement)
{
    try {
        statement.exec();
    } catch (...) {
        // tryReset, because reset() itself throws after a failed step.
        statement.tryReset();
        throw;
    }
    statement.reset();
}

void RowBinder::bindInteger(std::int64_t value)
{
    m_statement.bind(m_next++, value);
}

void RowBinder::bindOne(const std::optional<RunId>& run)
{
    if (run)
        bindOne(*run);
    else
        m_statement.bind(m_next++); // NULL
}

void RowBinder::bindOne(std::string_view value)
{
    // Bound by length and copied: a view need not end with NUL, nor live until the statement runs.
    m_statement.bind(m_next++, std::string(value));
}

void RowBinder::bindOne(double value)
{
    if (std::isfinite(value))
        m_statement.bind(m_next++, value);
    // The texts are literals, so SQLite need not copy them.
    else if (std::isnan(value))
        m_statement.bindNoCopy(m_next++, "nan");
    else
        m_statement.bindNoCopy(m_next++, value > 0 ? "inf" : "-inf");
}

void RowBinder::bindOne(const std::optional<double>& value)
{
    if (value)
        bindOne(*value);
    else
        m_statement.bind(m_next++); // NULL
}

void RowBinder::bindOne(const Message& value)
{
    bind(value.english(), value.code(), jsonLine(value.toJson()));
}

} // namespace accrue
