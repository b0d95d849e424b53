// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/format_6.h"

#include "run_log_fixture.h"

#include "engine/logfile/schema.h"
#include "engine/runlog/log_check.h"
#include "engine/runlog/log_connection.h"
#include "engine/runlog/run_log_reader.h"

#include <fstream>
#include <iterator>
#include <map>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;
namespace fs = std::filesystem;

class TestFormat6 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_folder.reset(); }

    void keepsEveryRowAndSealsIt();
    void noRunIsGivenANumberTwice();
    void leavesALogWithARowThatCannotBeAsItWas_data();
    void leavesALogWithARowThatCannotBeAsItWas();
    void leavesAnOldLogAndItsEarlierBackUpAsTheyWere();
    void refusesRowsOfARunThatIsNotThere();
    void tellsHowFarItIs();
    void theTablesTakeNoRowThatCannotBe_data();
    void theTablesTakeNoRowThatCannotBe();

private:
    fs::path log() const { return m_folder->filePath("runs.db").toStdString(); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

// Every row of every table of format 5, as text.
std::map<std::string, std::string> contentsOf(const fs::path& log, const fs::path& columnsFrom)
{
    std::map<std::string, std::string> contents;
    for (const CheckedTable table : checkedTables()) {
        const std::string name(nameOf(table));
        const std::string columns = textIn(columnsFrom,
            "SELECT group_concat('quote(' || name || ')', '||') FROM pragma_table_xinfo('" + name
                + "')");
        if (columns.empty()) // a table of a later format
            continue;
        contents[name] = textIn(
            log, "SELECT coalesce(group_concat(" + columns + ", char(10)), '') FROM " + name);
    }
    return contents;
}

std::string bytesOf(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(stream), {} };
}

} // namespace

void TestFormat6::keepsEveryRowAndSealsIt()
{
    const fs::path old = m_folder->filePath("old.db").toStdString();
    makeLogOfFormat5(old);
    makeLogOfFormat5(log());
    {
        const LogConnection connection(log());
    }
    QCOMPARE(integerIn(log(), "PRAGMA user_version"), currentVersion());
    QVERIFY(contentsOf(log(), old) == contentsOf(old, old));
    const LogCheck check = checkLog(log());
    QCOMPARE(describe(check.damage).english(), std::string());
    QCOMPARE(check.runs, 3);
    QCOMPARE(check.rows, 259);
    QCOMPARE(RunLogReader(log()).run(RunId { 4 }).data, DataIdentity {});
    QCOMPARE(integerIn(log().string() + ".backup-v5", "PRAGMA user_version"), 5);
}

void TestFormat6::noRunIsGivenANumberTwice()
{
    makeLogOfFormat5(log());
    execute(log(), "PRAGMA foreign_keys = ON; DELETE FROM runs");
    RunLogWriter writer(log());
    QCOMPARE(writeRun(writer, "next", 1), RunId { 5 });
}

void TestFormat6::leavesALogWithARowThatCannotBeAsItWas_data()
{
    QTest::addColumn<QString>("damage");
    QTest::addColumn<QString>("words");
    QTest::newRow("runs") << "UPDATE runs SET attempt = 200000000 WHERE id = 4"
                          << "run #4 has an impossible value in the table runs";
    QTest::newRow("attempts") << "UPDATE attempts SET from_step = -1 WHERE run_id = 2"
                              << "run #2 has an impossible value in the table attempts";
    QTest::newRow("memory") << "UPDATE memory SET peak_bytes = -1"
                            << "run #4 has an impossible value in the table memory";
}

void TestFormat6::leavesALogWithARowThatCannotBeAsItWas()
{
    QFETCH(QString, damage);
    QFETCH(QString, words);
    makeLogOfFormat5(log());
    execute(log(), damage.toStdString());
    execute(log(), "PRAGMA journal_mode = WAL");
    const std::string before = bytesOf(log());
    const std::string message = messageOf([&] { RunLogWriter { log() }; });
    QVERIFY2(QString::fromStdString(message).contains(words), message.c_str());
    QVERIFY2(message.find("It was left as it is") != std::string::npos, message.c_str());
    QVERIFY(bytesOf(log()) == before);
    QVERIFY(!fs::exists(log().string() + ".backup-v5"));
    QCOMPARE(RunLogReader(log()).runs(RunLogReader::Archived::Show).size(), std::size_t { 3 });
}

// Also the formats between are not kept of it.
void TestFormat6::leavesAnOldLogAndItsEarlierBackUpAsTheyWere()
{
    makeLogOfFormat1(log());
    execute(log(), "UPDATE runs SET step = -1 WHERE id = 1");
    execute(log(), "PRAGMA journal_mode = WAL");
    const fs::path backUp = log().string() + ".backup-v1";
    std::ofstream(backUp) << "of an earlier day";
    const std::string before = bytesOf(log());
    const std::string message = messageOf([&] { RunLogWriter { log() }; });
    QVERIFY2(message.find("It was left as it is") != std::string::npos, message.c_str());
    QVERIFY(bytesOf(log()) == before);
    QCOMPARE(bytesOf(backUp), std::string("of an earlier day"));
    QVERIFY(!fs::exists(backUp.string() + ".part"));
}

void TestFormat6::refusesRowsOfARunThatIsNotThere()
{
    makeLogOfFormat5(log());
    execute(log(), "UPDATE memory SET run_id = 99");
    const std::string message = messageOf([&] { RunLogWriter { log() }; });
    QVERIFY2(
        message.find("the table memory has rows of a run that does not exist") != std::string::npos,
        message.c_str());
}

void TestFormat6::tellsHowFarItIs()
{
    makeLogOfFormat5(log());
    double last = 0;
    int told = 0;
    QByteArrayList what;
    const LogConnection connection(log(), [&](double share, const Message& sentence) {
        QVERIFY(share >= last && share <= 1);
        last = share;
        ++told;
        if (!what.contains(QByteArray::fromStdString(sentence.english())))
            what << QByteArray::fromStdString(sentence.english());
    });
    QCOMPARE(last, 1.0);
    QVERIFY(told > 10);
    QCOMPARE(what.size(), 2);
    QCOMPARE(what.last(), QByteArray("Upgrading the run log to format 6"));
}

void TestFormat6::theTablesTakeNoRowThatCannotBe_data()
{
    QTest::addColumn<QString>("sql");
    for (const char* sql : { "UPDATE runs SET attempt = 0", "UPDATE runs SET attempt = 1000001",
             "UPDATE runs SET archived = 2", "UPDATE runs SET step = -1",
             "UPDATE runs SET outcome = 'finished'", "UPDATE runs SET peak_bytes = -1",
             "UPDATE attempts SET attempt = 0", "UPDATE attempts SET from_step = -1",
             "UPDATE memory SET peak_bytes = -1", "UPDATE memory SET step = -1",
             "UPDATE checksums SET row_count = 0" })
        QTest::newRow(sql) << QString::fromLatin1(sql);
}

void TestFormat6::theTablesTakeNoRowThatCannotBe()
{
    QFETCH(QString, sql);
    makeLogOfFormat5(log());
    {
        const LogConnection connection(log());
    }
    QVERIFY_THROWS_EXCEPTION(std::exception, execute(log(), sql.toStdString()));
}

QTEST_GUILESS_MAIN(TestFormat6)
#include "tst_format_6.moc"
