// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/row_binder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <SQLiteCpp/Statement.h>

namespace accrue {

// The rows of a SELECT, one after the other; the columns of a row are read from left to right, so
// that the order of the SELECT is the order of the code below it. Doubles are encoded as by
// RowBinder; for number(), a NULL is NaN. `database` must outlive it. Throws SQLite::Exception.
class Query {
public:
    // `values`: of the statement's parameters, in their order.
    template <typename... Values>
    Query(SQLite::Database& database, const std::string& sql, const Values&... values)
        : m_statement(database, sql)
    {
        RowBinder(m_statement).bind(values...);
    }

    bool next(); // false: no more rows

    template <typename... Values> void read(Values&... values) { (readOne(values), ...); }
    std::int64_t integer();
    std::string text();
    double number();
    std::optional<double> optional();
    Message message(); // of three columns: English text, code, arguments

private:
    void readOne(std::int64_t& value) { value = integer(); }
    void readOne(int& value) { value = static_cast<int>(integer()); }
    void readOne(bool& value) { value = integer() != 0; }
    void readOne(double& value) { value = number(); }
    void readOne(std::optional<double>& value) { value = optional(); }
    void readOne(std::string& value) { value = text(); }
    void readOne(Message& value) { value = message(); }
    void readOne(RunId& value) { value = RunId { integer() }; }

    SQLite::Statement m_statement;
    int m_next = 0;
};

// The first column of all rows.
template <typename Value, typename... Values>
std::vector<Value> allOf(
    SQLite::Database& database, const std::string& sql, const Values&... values)
{
    std::vector<Value> all;
    for (Query rows(database, sql, values...); rows.next();)
        rows.read(all.emplace_back());
    return all;
}

// The first column of the first row; empty: there is no row.
template <typename Value, typename... Values>
std::optional<Value> firstOf(
    SQLite::Database& database, const std::string& sql, const Values&... values)
{
    std::optional<Value> first;
    if (Query rows(database, sql, values...); rows.next())
        rows.read(first.emplace());
    return first;
}

// Runs a statement without result rows once; returns how many rows it changed.
template <typename... Values>
int execute(SQLite::Database& database, const std::string& sql, const Values&... values)
{
    SQLite::Statement statement(database, sql);
    RowBinder(statement).bind(values...);
    return statement.exec();
}

} // namespace accrue
