// SPDX-License-Identifier: Apache-2.0
// The file moved, deleted or replaced while it is open.
#include "run_log_fixture.h"

#include "engine/runlog/run_log_reader.h"

#include <fstream>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;

namespace {

void removeLog(const std::filesystem::path& log)
{
    for (const char* suffix : { "", "-wal", "-shm", "-lock" })
        std::filesystem::remove(log.string() + suffix);
}

// Stores the committed events.
struct Told : EventSink {
    void emitEvent(Event event) override { events.push_back(std::move(event)); }
    std::vector<Event> events;
};

} // namespace

class TestRunLogFileChanges : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_folder.reset(); }

    void putsADeletedLogBackWhileARunWrites();
    void tellsThatItPutADeletedLogBack();
    void startsAnewWhenADeletedLogHasNoRunOfOurs();
    void waitsForALogThatWasMovedAway();
    void refusesAnotherFileInItsPlace();
    void goesOnInACopyThatWasPutBack();
    void takesItsLocksAgainWhenTheLockFileIsDeleted();
    void readerOpensAReplacedFileAnew();
    void readerSaysThatTheFileIsGone();

private:
    std::filesystem::path log() const
    {
        return std::filesystem::path(m_folder->path().toStdString()) / "runs.db";
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestRunLogFileChanges::putsADeletedLogBackWhileARunWrites()
{
    RunLogWriter writer(log());
    writeRun(writer, "earlier", 5);
    const RunId run = writeRun(writer, "live", 10, /*ended=*/false);
    removeLog(log());
    writer.sink(run).emitEvent(stepAt(11));
    QVERIFY2(writer.flush(), writer.problem().english().c_str());
    RunLogReader reader(log());
    QCOMPARE(reader.runs().size(), std::size_t { 2 });
    QCOMPARE(reader.run(run).state, RunState::Running);
    QCOMPARE(reader.series(run, "loss", Axis::Step).size(), std::size_t { 11 });
    const std::vector<RunMarker> markers = reader.markers(run);
    QCOMPARE(markers.size(), std::size_t { 1 });
    QVERIFY(markers.front().text.english().find("was put back") != std::string::npos);
    QCOMPARE(textIn(log(), "PRAGMA integrity_check"), std::string("ok"));
}

void TestRunLogFileChanges::tellsThatItPutADeletedLogBack()
{
    Told told;
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "live", 10, /*ended=*/false);
    EventSink& sink = writer.sink(run, &told);
    removeLog(log());
    sink.emitEvent(stepAt(11));
    sink.emitEvent(endAt(11));
    QVERIFY2(writer.flush(), writer.problem().english().c_str());
    QCOMPARE(told.events.size(), std::size_t { 3 });
    const auto* message = std::get_if<RunMessage>(&told.events.front());
    QVERIFY(
        message != nullptr && message->text.english().find("was put back") != std::string::npos);
    QCOMPARE(message->step, std::int64_t { 10 });
    QVERIFY(std::holds_alternative<RunEnded>(told.events.back()));
}

void TestRunLogFileChanges::startsAnewWhenADeletedLogHasNoRunOfOurs()
{
    RunLogWriter writer(log());
    writeRun(writer, "deleted on purpose", 5);
    removeLog(log());
    writeRun(writer, "new", 5);
    const std::vector<RunRecord> runs = RunLogReader(log()).runs();
    QCOMPARE(runs.size(), std::size_t { 1 });
    QCOMPARE(runs.front().name, std::string("new"));
}

void TestRunLogFileChanges::waitsForALogThatWasMovedAway()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "live", 10, /*ended=*/false);
    const std::filesystem::path elsewhere = log().parent_path() / "elsewhere.db";
    std::filesystem::rename(log(), elsewhere);
    writer.sink(run).emitEvent(stepAt(11));
    QVERIFY(!writer.flush());
    QVERIFY2(writer.problem().english().find("Move it back") != std::string::npos,
        writer.problem().english().c_str());
    // What was committed is whole in the moved file, although its -wal stayed behind.
    QCOMPARE(integerIn(elsewhere, "SELECT count(*) FROM steps"), 10);
    std::filesystem::rename(elsewhere, log());
    QVERIFY2(writer.flush(), writer.problem().english().c_str());
    QCOMPARE(writer.problem().english(), std::string());
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM steps"), 11);
}

void TestRunLogFileChanges::refusesAnotherFileInItsPlace()
{
    const std::filesystem::path other = log().parent_path() / "other.db";
    {
        RunLogWriter writer(other);
        writeRun(writer, "other", 3);
    }
    {
        RunLogWriter writer(log());
        const RunId run = writeRun(writer, "live", 10, /*ended=*/false);
        std::filesystem::rename(other, log());
        writer.sink(run).emitEvent(stepAt(11));
        QVERIFY(!writer.flush());
        QVERIFY2(writer.problem().english().find("was replaced") != std::string::npos,
            writer.problem().english().c_str());
    }
    // The other log is as it was, with the old -wal beside it.
    QCOMPARE(textIn(log(), "PRAGMA integrity_check"), std::string("ok"));
    QCOMPARE(RunLogReader(log()).runs().front().name, std::string("other"));
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM steps"), 3);
}

void TestRunLogFileChanges::goesOnInACopyThatWasPutBack()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "live", 10, /*ended=*/false);
    const std::filesystem::path copy = log().parent_path() / "copy.db";
    execute(log(), "VACUUM INTO '" + copy.string() + "'");
    std::filesystem::rename(copy, log());
    writer.sink(run).emitEvent(stepAt(11));
    QVERIFY2(writer.flush(), writer.problem().english().c_str());
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM steps"), 11);
    QCOMPARE(textIn(log(), "PRAGMA integrity_check"), std::string("ok"));
}

void TestRunLogFileChanges::takesItsLocksAgainWhenTheLockFileIsDeleted()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "live", 1, /*ended=*/false);
    std::filesystem::remove(log().string() + "-lock");
    writer.sink(run).emitEvent(stepAt(2));
    QVERIFY(writer.flush());
    QCOMPARE(RunLogReader(log()).run(run).state, RunState::Running);
}

void TestRunLogFileChanges::readerOpensAReplacedFileAnew()
{
    const std::filesystem::path other = log().parent_path() / "other.db";
    {
        RunLogWriter first(log());
        writeRun(first, "first", 1);
        RunLogWriter second(other);
        writeRun(second, "second", 1);
    }
    RunLogReader reader(log());
    QVERIFY(reader.changed());
    QVERIFY(!reader.changed());
    std::filesystem::rename(other, log());
    QVERIFY(reader.changed());
    QCOMPARE(reader.runs().front().name, std::string("second"));
}

void TestRunLogFileChanges::readerSaysThatTheFileIsGone()
{
    {
        RunLogWriter writer(log());
        writeRun(writer, "first", 1);
    }
    RunLogReader reader(log());
    removeLog(log());
    const std::string message = messageOf([&] { reader.changed(); });
    QVERIFY2(message.find("does not exist") != std::string::npos, message.c_str());
    RunLogWriter writer(log());
    writeRun(writer, "again", 1);
    QVERIFY(reader.changed());
    QCOMPARE(reader.runs().front().name, std::string("again"));
}

QTEST_GUILESS_MAIN(TestRunLogFileChanges)
#include "tst_run_log_file_changes.moc"
