// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/schema.h"

#include "run_log_fixture.h"

#include "engine/runlog/log_check.h"
#include "engine/runlog/log_connection.h"
#include "engine/runlog/run_log_reader.h"
#include "engine/runlog/this_machine.h"
#include "engine/runs/run_log_error.h"

#include <algorithm>
#include <iterator>

#include <QTemporaryDir>
#include <QTest>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

constexpr const char* kFirst = "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1)";
constexpr const char* kSecond = "ALTER TABLE a ADD COLUMN y TEXT; UPDATE a SET y = 'why'";
constexpr const char* kMoreOfRuns = "ALTER TABLE runs ADD COLUMN extra TEXT NOT NULL DEFAULT 'x'";
constexpr const char* kBroken = "UPDATE a SET x = 2; CREATE TABLE a (x)";

// What a newer program would bring.
std::vector<Migration> withOneMore()
{
    std::vector<Migration> list = migrations();
    list.push_back(kMoreOfRuns);
    return list;
}

} // namespace

class TestSchema : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_folder.reset(); }

    void runsWhatIsMissingInOrder();
    void leavesNothingOfAMigrationThatFails();
    void ourListMakesAFileOfTheCurrentVersion();
    void tablesAreStrictAndGuarded();
    void backUpIsAWholeCopy();
    void saysWhereABackUpCannotBeWritten();
    void bringsAnOlderLogUpToDateAfterABackUp();
    void bringsALogOfFormat1UpToDate();
    void messagesOfFormat8StayAsTheyWere();
    void resumesARunOfFormat1();
    void leavesAnOlderLogAloneWhileSomebodyWrites();

private:
    fs::path file(const char* name) const
    {
        return fs::path(m_folder->path().toStdString()) / name;
    }
    std::unique_ptr<SQLite::Database> open(const char* name) const
    {
        return std::make_unique<SQLite::Database>(
            file(name).string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestSchema::runsWhatIsMissingInOrder()
{
    const auto database = open("a.db");
    migrate(*database, { kFirst });
    QCOMPARE(requireOurs(*database, file("a.db"), 1), 1);
    migrate(*database, { kFirst, kSecond });
    QCOMPARE(requireOurs(*database, file("a.db"), 2), 2);
    QCOMPARE(database->execAndGet("SELECT x || y FROM a").getString(), std::string("1why"));
    migrate(*database, { kFirst, kSecond });
    QCOMPARE(database->execAndGet("SELECT count(*) FROM a").getInt(), 1);
    QVERIFY_THROWS_EXCEPTION(RunLogError, requireOurs(*database, file("a.db"), 1));
}

void TestSchema::leavesNothingOfAMigrationThatFails()
{
    const auto database = open("b.db");
    migrate(*database, { kFirst });
    QVERIFY_THROWS_EXCEPTION(SQLite::Exception, migrate(*database, { kFirst, kBroken }));
    QCOMPARE(database->execAndGet("PRAGMA user_version").getInt(), 1);
    QCOMPARE(database->execAndGet("SELECT x FROM a").getInt(), 1);
}

void TestSchema::ourListMakesAFileOfTheCurrentVersion()
{
    const auto database = open("c.db");
    QCOMPARE(requireOurs(*database, file("c.db"), currentVersion()), 0);
    migrate(*database, migrations());
    QCOMPARE(requireOurs(*database, file("c.db"), currentVersion()), currentVersion());
    QCOMPARE(formatOf(*database), currentVersion());
    QCOMPARE(database->execAndGet("PRAGMA application_id").getInt(), kApplicationId);
}

void TestSchema::tablesAreStrictAndGuarded()
{
    const auto database = open("d.db");
    migrate(*database, migrations());
    database->exec("PRAGMA foreign_keys = ON");
    QCOMPARE(database
                 ->execAndGet("SELECT count(*) FROM pragma_table_list WHERE schema = 'main'"
                              " AND name NOT LIKE 'sqlite_%' AND strict = 0")
                 .getInt(),
        0);
    QVERIFY_THROWS_EXCEPTION(SQLite::Exception,
        database->exec("INSERT INTO epochs VALUES (99, 1, 1, 1, 1, 1, 1.0, 1.0, 1.0)"));
}

void TestSchema::backUpIsAWholeCopy()
{
    {
        RunLogWriter writer(file("runs.db"));
        writeRun(writer, "kept", 100);
        const auto database = open("runs.db");
        const fs::path copy = backUp(*database, file("runs.db"), 1);
        QCOMPARE(copy, file("runs.db.backup-v1.part"));
        QCOMPARE(integerIn(copy, "SELECT count(*) FROM steps"), 100);
        QCOMPARE(backUp(*database, file("runs.db"), 1), copy);
    }
    QVERIFY(!fs::exists(file("runs.db.backup-v1")));
}

void TestSchema::saysWhereABackUpCannotBeWritten()
{
    const auto database = open("e.db");
    migrate(*database, { kFirst });
    const std::string message = messageOf([&] { backUp(*database, file("nowhere") / "e.db", 1); });
    QVERIFY2(message.find("Nothing was changed") != std::string::npos, message.c_str());
}

void TestSchema::bringsAnOlderLogUpToDateAfterABackUp()
{
    const fs::path log = file("runs.db");
    {
        RunLogWriter writer(log);
        writeRun(writer, "older", 10);
    }
    const std::vector<Migration> list = withOneMore();
    const int version = currentVersion();
    const LogConnection connection(log, {}, list);
    QCOMPARE(integerIn(log, "PRAGMA user_version"), version + 1);
    QCOMPARE(textIn(log, "SELECT name || extra FROM runs"), std::string("olderx"));
    const fs::path backUp = log.string() + ".backup-v" + std::to_string(version);
    QCOMPARE(integerIn(backUp, "PRAGMA user_version"), version);
    QCOMPARE(integerIn(backUp, "SELECT count(*) FROM steps"), 10);
    QVERIFY(!fs::exists(backUp.string() + ".part"));
    const LogConnection second(log, {}, list); // the first is one of many again
}

void TestSchema::bringsALogOfFormat1UpToDate()
{
    const fs::path log = file("runs.db");
    makeLogOfFormat1(log);
    const std::string markers = "SELECT group_concat(sequence || kind || severity || step ||"
                                " samples || seconds || time_ms || coalesce(value, '-') || text)"
                                " FROM markers";
    const std::string before = textIn(log, markers);
    RunLogWriter writer(log);
    QCOMPARE(integerIn(log, "PRAGMA user_version"), currentVersion());
    QCOMPARE(textIn(log, "PRAGMA integrity_check"), std::string("ok"));
    QCOMPARE(integerIn(log, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    QCOMPARE(integerIn(log, "SELECT count(*) FROM steps"), 32);
    QCOMPARE(textIn(log, markers), before);
    RunLogReader reader(log);
    for (const RunRecord& run : reader.runs()) {
        const std::vector<RunAttempt> attempts = reader.attempts(run.id);
        QCOMPARE(attempts.size(), std::size_t { 1 });
        QCOMPARE(attempts[0].startedMs, run.createdMs);
        QCOMPARE(attempts[0].endedMs, run.endedMs);
        QVERIFY(attempts[0].outcome == run.outcome);
        QCOMPARE(attempts[0].host, std::string("bench"));
        QCOMPARE(attempts[0].device, std::string("cpu"));
        QCOMPARE(attempts[0].from.microBatches, 0);
    }
    QCOMPARE(integerIn(log,
                 "SELECT count(*) FROM evaluations WHERE validation_loss IS NOT NULL"
                 " OR validation_accuracy IS NOT NULL"),
        0);
    QCOMPARE(
        textIn(log, "SELECT best_metric FROM runs WHERE id = 1"), std::string("test_accuracy"));
    // All that have a column or are computed from one, but validation.
    const auto own = std::count_if(metrics().begin(), metrics().end(),
        [](const MetricInfo& metric) { return !isCarriedByName(metric); });
    QCOMPARE(std::ssize(reader.summaries(RunId { 1 })), own - 2);
    // Neither the number of a run nor that of a marker is ever given again.
    const RunId next = writeRun(writer, "next", 1);
    QCOMPARE(next, RunId { 4 });
    QCOMPARE(reader.markers(next).front().sequence, 8);
    QCOMPARE(integerIn(log.string() + ".backup-v1", "PRAGMA user_version"), 1);
    QCOMPARE(textIn(log.string() + ".backup-v1", markers), before);
}

// As before format 9, when messages were only text.
void TestSchema::messagesOfFormat8StayAsTheyWere()
{
    const fs::path log = file("runs.db");
    makeLogOfFormat5(log);
    {
        const std::vector<Migration> list(migrations().begin(), migrations().begin() + 8);
        migrate(*open("runs.db"), list);
    }
    const auto texts = [&] {
        std::vector<std::string> found;
        RunLogReader reader(log);
        for (const RunRecord& run : reader.runs(RunLogReader::Archived::Show))
            for (const RunMarker& marker : reader.markers(run.id))
                found.push_back(marker.text.code() + marker.text.english());
        return found;
    };
    const std::vector<std::string> before = texts();
    QVERIFY(!before.empty());
    const std::int64_t checked = checkLog(log).rows;
    const RunLogWriter writer(log);
    QCOMPARE(integerIn(log, "PRAGMA user_version"), currentVersion());
    QVERIFY(texts() == before);
    const LogCheck check = checkLog(log); // by the checksums of format 8
    QCOMPARE(check.damage.size(), std::size_t { 0 });
    QCOMPARE(check.rows, checked);
}

void TestSchema::resumesARunOfFormat1()
{
    const fs::path log = file("runs.db");
    makeLogOfFormat1(log);
    execute(log,
        "UPDATE runs SET host = '" + thisMachine().host
            + "' WHERE id = 2"); // cut off, and on this machine
    RunLogWriter writer(log);
    writer.resumeRun(RunId { 2 }, { .epoch = 1, .step = 8, .samples = 1024, .microBatches = 32 });
    RunLogReader reader(log);
    QCOMPARE(reader.series(RunId { 2 }, "loss", Axis::Step).size(), std::size_t { 8 });
    QCOMPARE(reader.run(RunId { 2 }).attempt, 2);
    QCOMPARE(reader.markers(RunId { 2 }).back().kind, RunMarker::Kind::Continued);
}

void TestSchema::leavesAnOlderLogAloneWhileSomebodyWrites()
{
    const fs::path log = file("runs.db");
    RunLogWriter writer(log);
    const std::vector<Migration> list = withOneMore();
    const std::string message = messageOf([&] { LogConnection { log, {}, list }; });
    QVERIFY2(message.find("another process is writing") != std::string::npos, message.c_str());
    QCOMPARE(integerIn(log, "PRAGMA user_version"), currentVersion());
    QVERIFY(!fs::exists(log.string() + ".backup-v" + std::to_string(currentVersion())));
    writeRun(writer, "undisturbed", 3);
    QCOMPARE(integerIn(log, "SELECT count(*) FROM steps"), 3);
}

QTEST_GUILESS_MAIN(TestSchema)
#include "tst_schema.moc"
