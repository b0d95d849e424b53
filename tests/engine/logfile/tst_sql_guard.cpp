// SPDX-License-Identifier: Apache-2.0
// Logs that somebody else has put more into than rows.
#include "engine/logfile/sql_guard.h"

#include "run_log_fixture.h"

#include "engine/runlog/run_log_reader.h"

#include <QTemporaryDir>
#include <QTest>

#include <SQLiteCpp/Database.h>

using namespace accrue;

class TestSqlGuard : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_folder.reset(); }

    void aTriggerDoesNothing();
    void aViewInThePlaceOfATableIsNotRead();
    void aComputedColumnCallsNothing();

private:
    std::filesystem::path log() const { return m_folder->filePath("runs.db").toStdString(); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestSqlGuard::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    RunLogWriter writer(log());
    writeRun(writer, "foreign", 10);
}

void TestSqlGuard::aTriggerDoesNothing()
{
    execute(log(),
        "CREATE TRIGGER mine AFTER UPDATE ON runs BEGIN DELETE FROM steps;"
        " SELECT load_extension('/tmp/mine.so'); END");
    RunLogWriter writer(log());
    writer.rename(RunId { 1 }, "renamed");
    QCOMPARE(RunLogReader(log()).run(RunId { 1 }).name, std::string("renamed"));
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM steps"), 10);
}

void TestSqlGuard::aViewInThePlaceOfATableIsNotRead()
{
    execute(log(),
        "ALTER TABLE summaries RENAME TO kept; CREATE VIEW summaries AS SELECT run_id, metric,"
        " load_extension('/tmp/mine.so') AS final, best, best_step, min, max FROM kept");
    const auto read = [&] { RunLogReader(log()).summaries(RunId { 1 }); };
    const std::string message = messageOf(read);
    QVERIFY2(message.find("is damaged") != std::string::npos, message.c_str());
}

void TestSqlGuard::aComputedColumnCallsNothing()
{
    execute(log(),
        "ALTER TABLE steps RENAME COLUMN loss TO was;"
        " ALTER TABLE steps ADD COLUMN loss ANY AS (printf('%s', was)) VIRTUAL");
    const auto database = openGuarded(log().string(), SQLite::OPEN_READONLY, 1000);
    QCOMPARE(database->execAndGet("SELECT count(loss) FROM steps").getInt(), 10);
    database->exec("PRAGMA trusted_schema");
    QCOMPARE(database->execAndGet("PRAGMA trusted_schema").getInt(), 0);
    QCOMPARE(database->execAndGet("PRAGMA cell_size_check").getInt(), 1);
    // SQLite refuses such a function in a schema that it is configured not to trust.
    SQLite::Database made(log().string(), SQLite::OPEN_READWRITE);
    made.exec("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql ="
              " replace(sql, 'printf(''%s'', was)', 'load_extension(''/tmp/mine.so'')')"
              " WHERE name = 'steps'");
    const auto read = [&] { RunLogReader(log()).series(RunId { 1 }, "loss", Axis::Step); };
    const std::string message = messageOf(read);
    QVERIFY2(message.find("is damaged") != std::string::npos, message.c_str());
}

QTEST_GUILESS_MAIN(TestSqlGuard)
#include "tst_sql_guard.moc"
