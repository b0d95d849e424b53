// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/stored_number.h"

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
    // The texts are literals, so SQLite need not copy them.
    else if (std::isnan(value))
        statement.bindNoCopy(index, "nan");
    else
        statement.bindNoCopy(index, value > 0 ? "inf" : "-inf");
}

double storedNumber(const SQLite::Column& column)
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

} // namespace accrue
