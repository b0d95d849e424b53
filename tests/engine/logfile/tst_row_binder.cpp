// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/row_binder.h"

#include <limits>

#include <QTest>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

using namespace accrue;

class TestRowBinder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void statementsAreMadeOfTheirColumns();
    void valuesReachTheColumnsInTheirOrder();
};

void TestRowBinder::statementsAreMadeOfTheirColumns()
{
    QCOMPARE(insertText("INSERT INTO t", { "a", "b" }),
        std::string("INSERT INTO t (a, b) VALUES (?, ?)"));
    QCOMPARE(insertText("INSERT OR IGNORE INTO t", { "a", "b" }, 2),
        std::string("INSERT OR IGNORE INTO t (a, b) VALUES (?, ?), (?, ?)"));
    QCOMPARE(listOf({ "a", "b" }, " = ?"), std::string("a = ?, b = ?"));
}

void TestRowBinder::valuesReachTheColumnsInTheirOrder()
{
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec("CREATE TABLE t (a INTEGER, b TEXT, c ANY, d ANY, e ANY) STRICT");
    SQLite::Statement insert(database, insertText("INSERT INTO t", { "a", "b", "c", "d", "e" }));
    for (const double number : { 0.5, std::numeric_limits<double>::infinity() }) {
        RowBinder row(insert);
        row.bind(7, "seven", number, std::optional<double>());
        row.bind(std::optional(2.5)).run();
    }
    QCOMPARE(database
                 .execAndGet("SELECT group_concat(quote(a) || quote(b) || quote(c) || quote(d)"
                             " || quote(e)) FROM t")
                 .getString(),
        std::string("7'seven'0.5NULL2.5,7'seven''inf'NULL2.5"));
}

QTEST_GUILESS_MAIN(TestRowBinder)
#include "tst_row_binder.moc"
