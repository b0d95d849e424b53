// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/stored_number.h"

#include <cmath>
#include <limits>
#include <string_view>

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

void bindNumber(SQLite::Statement& statement, int index, double value)
{
    if (std::isfinite(value))
        statement.bind(index, value);
    else if (std::isnan(value))
        statement.bindNoCopy(index, "nan");
    else
        statement.bindNoCopy(index, value > 0 ? "inf" : "-inf");
}

void bindNumber(SQLite::Statement& statement, int index, const std::optional<double>& value)
{
    if (value)
        bindNumber(statement, index, *value);
    else
        statement.bind(index);
}

double storedNumber(const SQLite::Column& column)
{
    if (column.isFloat() || column.isInteger())
        return column.getDouble();
    const std::string_view text = column.isText() ? column.getText() : "nan";
    if (text == "inf")
        return std::numeric_limits<double>::infinity();
    if (text == "-inf")
        return -std::numeric_limits<double>::infinity();
    return std::numeric_limits<double>::quiet_NaN();
}

std::optional<double> storedOptional(const SQLite::Column& column)
{
    if (column.isNull())
        return std::nullopt;
    return storedNumber(column);
}

} // namespace accrue
