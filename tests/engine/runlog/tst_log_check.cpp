// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/log_check.h"

#include "run_log_fixture.h"

#include "engine/logfile/schema.h"
#include "engine/logfile/sql_guard.h"
#include "engine/runlog/log_connection.h"
#include "engine/runlog/run_log_reader.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>
#include <sys/resource.h>

#include <SQLiteCpp/Database.h>

using namespace accrue;
namespace fs = std::filesystem;

class TestLogCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_folder.reset(); }

    void aWholeLogHasNoDamage();
    void aNewColumnLeavesEveryChecksumRight();
    void anOlderLogHasNoChecksums_data();
    void anOlderLogHasNoChecksums();
    void findsADamagedRow_data();
    void findsADamagedRow();
    void findsWrongSums_data();
    void findsWrongSums();
    void aNewerLogThatPassesForAnOlderOneIsDamaged();
    void aLogWhoseTablesCannotBeReadIsDamaged_data();
    void aLogWhoseTablesCannotBeReadIsDamaged();
    void tooManyOpenFilesAreNotThePermissions();

private:
    fs::path log() const { return m_folder->filePath("runs.db").toStdString(); }
    // Past every CHECK and reference.
    void damage(const std::string& sql) const
    {
        execute(log(), "PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON; " + sql);
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestLogCheck::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    makeLogOfFormat5(log());
    const LogConnection connection(log());
}

void TestLogCheck::aWholeLogHasNoDamage()
{
    const LogCheck check = checkLog(log());
    QCOMPARE(describe(check.damage).english(), std::string());
    QCOMPARE(check.format, currentVersion());
    QVERIFY(check.hasChecksums);
}

// A newer format, or another program, may add columns.
void TestLogCheck::aNewColumnLeavesEveryChecksumRight()
{
    execute(log(),
        "ALTER TABLE steps ADD COLUMN extra REAL DEFAULT 1.5;"
        "ALTER TABLE runs ADD COLUMN extra TEXT NOT NULL DEFAULT 'x'");
    QCOMPARE(describe(checkLog(log()).damage).english(), std::string());
    damage("UPDATE steps SET loss = loss + 1 WHERE step = (SELECT min(step) FROM steps)");
    QVERIFY(!checkLog(log()).damage.empty());
}

void TestLogCheck::anOlderLogHasNoChecksums_data()
{
    QTest::addColumn<int>("format");
    QTest::newRow("1") << 1;
    QTest::newRow("5") << 5;
}

void TestLogCheck::anOlderLogHasNoChecksums()
{
    QFETCH(int, format);
    const fs::path old = m_folder->filePath("old.db").toStdString();
    format == 1 ? makeLogOfFormat1(old) : makeLogOfFormat5(old);
    const LogCheck check = checkLog(old);
    QCOMPARE(describe(check.damage).english(), std::string());
    QCOMPARE(check.format, format);
    QVERIFY(!check.hasChecksums);
    execute(old, "UPDATE runs SET step = 7 WHERE id = 1");
    QCOMPARE(describe(checkLog(old).damage).english(),
        std::string("table runs, run #1: step is 7, but according to the rows it is 20"));
}

void TestLogCheck::findsADamagedRow_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* sql, const char* words) {
        QTest::newRow(sql) << QString::fromLatin1(sql) << QString::fromLatin1(words);
    };
    row("UPDATE runs SET archived = 1 WHERE id = 1",
        "table runs, run #1: the row does not match the checksum");
    row("UPDATE runs SET id = 9 WHERE id = 1",
        "table runs, run #1: 1 row was written, but 0 are there");
    row("UPDATE settings SET value = 33 WHERE run_id = 2 AND key = 'batch.micro'",
        "table settings, run #2: the rows do not match the checksum");
    row("UPDATE attempts SET from_step = 10 WHERE run_id = 4", "table attempts, run #4: ");
    row("UPDATE steps SET loss = 0.5 WHERE run_id = 1 AND step = 7",
        "table steps, run #1, steps 1 to 20: the rows do not match the checksum");
    row("DELETE FROM steps WHERE run_id = 1 AND step = 7",
        "table steps, run #1, steps 1 to 20: 20 rows were written, but 19 are there");
    row("UPDATE steps SET step = 21 WHERE run_id = 1 AND step = 7",
        "20 rows were written, but 19 are there");
    row("INSERT INTO steps SELECT run_id, 2, step, micro_batches, samples, epoch, seconds,"
        " window_samples, updated, loss, learning_rate, gradient_norm, step_ms, data_ms,"
        " forward_ms, backward_ms, optimizer_ms, peak_bytes FROM steps WHERE run_id = 1 AND"
        " step = 20",
        "table steps, run #1: there are 21 rows, but the checksums cover 20");
    row("UPDATE traces SET checksum = 1 WHERE micro_batches = 3", "table traces, run #4, steps");
    row("UPDATE epochs SET train_loss = 'nan' WHERE run_id = 1", "table epochs, run #1, steps");
    row("UPDATE evaluations SET test_accuracy = 0.5 WHERE run_id = 2",
        "table evaluations, run #2, step 10: the row does");
    row("UPDATE memory SET peak_bytes = -1 WHERE phase = 'forward'", "table memory, run #4");
    row("UPDATE memory_owners SET layer = 'conv2' WHERE position = 1", "table memory_owners");
    row("UPDATE memory_kept SET bytes = 1", "table memory_kept, run #4, step 1: the rows do");
    row("UPDATE markers SET text = 'x' WHERE sequence = 1", "table markers, run #1, step");
    row("UPDATE summaries SET best = 0.0 WHERE run_id = 1 AND metric = 'loss'",
        "table summaries, run #1: the rows do not match the checksum");
    row("UPDATE checksums SET checksum = checksum + 1 WHERE table_name = 'steps' AND run_id = 2",
        "table steps, run #2");
    row("UPDATE checksums SET table_name = 'stepz' WHERE table_name = 'steps' AND run_id = 2",
        "there are 12 rows, but the checksums cover 0");
    row("UPDATE checksums SET column_names = 'loss; x' WHERE table_name = 'steps' AND run_id = 2",
        "the checksum is of columns that the table does not have");
    row("DELETE FROM checksums WHERE run_id = 2", "there are 3 rows, but the checksums cover 2");
    row("DELETE FROM runs WHERE id = 2", "table runs, run #2: 1 row was written, but 0 are there");
    row("DELETE FROM runs WHERE id = 2", "there are rows of a run that does not exist");
}

void TestLogCheck::findsADamagedRow()
{
    QFETCH(QString, sql);
    QFETCH(QString, words);
    damage(sql.toStdString());
    QString found;
    for (const LogDamage& each : checkLog(log()).damage)
        found += QString::fromStdString(describe(each).english()) + QLatin1Char('\n');
    QVERIFY2(found.contains(words), qPrintable(found));
}

void TestLogCheck::findsWrongSums_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("words");
    QTest::newRow("step") << "UPDATE runs SET step = 19 WHERE id = 1"
                          << "table runs, run #1: step is 19, but according to the rows it is 20";
    QTest::newRow("best") << "UPDATE runs SET best_test_accuracy = NULL WHERE id = 1"
                          << "best_test_accuracy is missing, but according to the rows it is 0.95";
    QTest::newRow("summary")
        << "UPDATE summaries SET best_step = 3 WHERE metric = 'loss'"
        << "table summaries, run #1: loss.best_step is 3, but according to the rows it is 20";
    QTest::newRow("no summary") << "DELETE FROM summaries WHERE metric = 'loss'"
                                << "loss is 0, but according to the rows it is 1";
}

// As a writer with a fault would leave them: with checksums.
void TestLogCheck::findsWrongSums()
{
    QFETCH(QString, sql);
    QFETCH(QString, words);
    LogConnection connection(log());
    connection.tryTransaction(LogConnection::Durability::Process, [&] {
        connection.database().exec(sql.toStdString());
        for (const RunId run : { RunId { 1 }, RunId { 2 }, RunId { 4 } })
            for (const CheckedTable table : { CheckedTable::Runs, CheckedTable::Summaries })
                connection.seals().touch(run, table);
    });
    const std::string found = describe(checkLog(log()).damage).english();
    QVERIFY2(QString::fromStdString(found).contains(words), found.c_str());
}

void TestLogCheck::aNewerLogThatPassesForAnOlderOneIsDamaged()
{
    for (const char* version : { "2", "4", "8", "5" }) {
        execute(log(), std::string("PRAGMA user_version = ") + version);
        for (const auto& open : { std::function<void()>([&] { RunLogReader { log() }; }),
                 std::function<void()>([&] { RunLogWriter { log() }; }) }) {
            const std::string message = messageOf(open);
            QVERIFY2(message.find("is damaged (its format is " + std::string(version))
                    != std::string::npos,
                message.c_str());
            QCOMPARE(kindOf(open), RunLogError::Kind::Damaged);
        }
    }
    QCOMPARE(integerIn(log(), "PRAGMA user_version"), 5);
}

void TestLogCheck::aLogWhoseTablesCannotBeReadIsDamaged_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("instead");
    QTest::newRow("no table of that name")
        << QByteArray("CREATE TABLE steps (") << QByteArray("CREATE TABLE stepz (");
    QTest::newRow("no SQL") << QByteArray("CREATE TABLE steps (")
                            << QByteArray("CRE\xb9TE TABLE steps (");
    QTest::newRow("another column")
        << QByteArray("gradient_norm ANY") << QByteArray("gradient_nurm ANY");
}

// Neither SQL nor bytes of the file are in the message.
void TestLogCheck::aLogWhoseTablesCannotBeReadIsDamaged()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, instead);
    QFile file(QString::fromStdString(log().string()));
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray bytes = file.readAll();
    QVERIFY(bytes.contains(name));
    bytes.replace(name, instead); // also where pages retain their previous content
    file.seek(0);
    file.write(bytes);
    file.close();
    const auto read = [&] {
        RunLogReader reader(log());
        reader.runs();
        reader.series(RunId { 1 }, "gradient_norm", Axis::Step);
    };
    const QByteArray message = QByteArray::fromStdString(messageOf(read));
    QVERIFY2(message.contains("is damaged. `accrue doctor --check-log` shows where"), message);
    QVERIFY2(!message.contains("TABLE") && !message.contains("\xb9"), message);
    QCOMPARE(kindOf(read), RunLogError::Kind::Damaged);
}

void TestLogCheck::tooManyOpenFilesAreNotThePermissions()
{
    rlimit before {};
    getrlimit(RLIMIT_NOFILE, &before);
    rlimit none = before;
    none.rlim_cur = 3;
    setrlimit(RLIMIT_NOFILE, &none);
    const RunLogError error = errorOf(log(), SQLITE_CANTOPEN);
    setrlimit(RLIMIT_NOFILE, &before);
    const std::string message = error.message().english();
    QVERIFY2(message.find("too many files are open") != std::string::npos, message.c_str());
    QCOMPARE(error.kind(), RunLogError::Kind::Machine);
    QVERIFY(errorOf(log(), SQLITE_CANTOPEN).message().english().find("permissions")
        != std::string::npos);
}

QTEST_GUILESS_MAIN(TestLogCheck)
#include "tst_log_check.moc"
