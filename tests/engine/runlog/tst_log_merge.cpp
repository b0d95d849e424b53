// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/log_merge.h"

#include "run_log_fixture.h"

#include "engine/base/error.h"
#include "engine/runlog/log_check.h"
#include "engine/runlog/run_log_reader.h"
#include "tests/support/fake_memory.h"

#include <algorithm>
#include <fstream>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;
namespace fs = std::filesystem;

class TestLogMerge : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_folder.reset(); }

    void threeLogsBecomeOne();
    void everyRowIsCopied();
    void importedTwiceIsOnce();
    void aRunThatHasGoneFurtherIsBroughtUpToDate();
    void aRunThatHasGoneFurtherHereStays();
    void tagsAndNotesComeTogether();
    void aRunThatWasResumedInBothStays();
    void aRunThatIsTrainedHereStays();
    void aLogThatIsWrittenIsReadInOneState();
    void sweepsComeAlong();
    void whatWaitsThereIsNotImported();
    void whatEndedThereLeavesTheQueueHere();
    void damageIsRefusedOrLeftOut();
    void logsOfOldFormatsAreRead();
    void checkpointsComeAlongOnRequest();
    void itsOriginStays();
    void noLogIsRefused();
    void theWriterOfAProcessImportsWhileItWritesARun();
    void anImportThatIsStoppedLeavesWholeRuns();
    void saysWhichRunsALogHas();

private:
    fs::path path(const std::string& name) const
    {
        return fs::path(m_folder->path().toStdString()) / name;
    }
    fs::path target() const { return path("target.db"); }
    LogMerge merged(const std::string& name, const MergeOptions& options = {}) const
    {
        RunImport target(this->target());
        OtherLog other(path(name));
        return mergeLog(target, other, options);
    }
    // The rows of a table without what differs from log to log, as text.
    std::string rowsOf(const std::string& log, const std::string& table, RunId run) const;
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

// A run with rows in every table.
RunId writeFullRun(RunLogWriter& log, const std::string& name)
{
    const RunId run = writeRun(log, name, 150, /*ended=*/false);
    EventSink& sink = log.sink(run);
    sink.emitEvent(epochAt(1, 150, 0.5, 0.9));
    sink.emitEvent(validated(evaluationAt(150, 0.4, 0.91), 0.5, 0.8));
    sink.emitEvent(MemoryMeasured { .step = 1,
        .epoch = 1,
        .seconds = 0.25,
        .phases = fakeWindowMemory({ 32, 32 }, 100, false) });
    ParameterTraced traced { .step = 150, .epoch = 1, .microBatches = {} };
    traced.microBatches.push_back(
        { .samples = 1, .microBatches = 600, .checksum = 7, .values = { 0.5 } });
    sink.emitEvent(traced);
    sink.emitEvent(RanksMeasured { .step = 150,
        .epoch = 1,
        .samples = 1,
        .microBatches = 600,
        .seconds = 1,
        .values = { { "wait_ms", 1.5, 1 } } });
    sink.emitEvent(HistogramsMeasured { .step = 150,
        .epoch = 1,
        .samples = 1,
        .microBatches = 600,
        .seconds = 1,
        .histograms = { { .parameter = "conv1.weight", .largest = 0.5, .counts = { 3, 4 } } } });
    sink.emitEvent(endAt(150));
    log.flush();
    return run;
}

bool isClean(const fs::path& log)
{
    const LogCheck check = checkLog(log);
    if (!check.damage.empty())
        qWarning("%s", describe(check.damage).english().c_str());
    return check.damage.empty();
}

std::string notesOf(const LogMerge& merge)
{
    std::string text;
    for (const Message& note : merge.notes)
        text += note.english() + "\n";
    return text;
}

} // namespace

std::string TestLogMerge::rowsOf(const std::string& log, const std::string& table, RunId run) const
{
    const std::string columns = textIn(path(log),
        "SELECT group_concat('quote(' || name || ')', '||'' ''||') FROM pragma_table_info('" + table
            + "') WHERE name NOT IN ('id', 'run_id', 'sequence', 'origin', 'sweep_id')");
    return textIn(path(log),
        "SELECT group_concat(line, char(10)) FROM (SELECT " + columns + " AS line FROM " + table
            + " WHERE " + (table == "runs" ? "id" : "run_id") + " = "
            + std::to_string(numberOf(run)) + " ORDER BY 1)");
}

void TestLogMerge::threeLogsBecomeOne()
{
    for (const char* name : { "a", "b", "c" }) {
        RunLogWriter log(path(std::string(name) + ".db"));
        writeFullRun(log, std::string(name) + " one");
        writeRun(log, std::string(name) + " two", 5);
    }
    for (const char* name : { "a.db", "b.db", "c.db" }) {
        const LogMerge merge = merged(name);
        QCOMPARE(merge.runs.size(), std::size_t { 2 });
        QVERIFY(merge.runs[0].result == ImportResult::Added);
        QCOMPARE(notesOf(merge), std::string());
    }
    QCOMPARE(textIn(target(), "SELECT group_concat(name, ', ') FROM runs"),
        std::string("a one, a two, b one, b two, c one, c two"));
    QCOMPARE(
        textIn(target(), "SELECT origin FROM runs WHERE name = 'b two'"), path("b.db").string());
    QCOMPARE(integerIn(target(), "SELECT count(DISTINCT token) FROM runs"), std::int64_t { 6 });
    QVERIFY(isClean(target()));
}

void TestLogMerge::everyRowIsCopied()
{
    {
        RunLogWriter log(path("other.db"));
        writeRun(log, "first", 3);
        writeFullRun(log, "full");
        RunLogWriter there(target());
        writeRun(there, "mine", 2);
    }
    const LogMerge merge = merged("other.db");
    const RunId full = merge.runs.at(1).run;
    QCOMPARE(numberOf(full), std::int64_t { 3 });
    for (const char* table : { "runs", "settings", "attempts", "steps", "traces", "epochs",
             "evaluations", "memory", "memory_owners", "memory_kept", "markers", "summaries",
             "metric_values", "histograms" }) {
        const std::string rows = rowsOf("target.db", table, full);
        QCOMPARE(rows, rowsOf("other.db", table, RunId { 2 }));
        QVERIFY2(!rows.empty() || std::string(table) == "memory_kept", table);
    }
    QCOMPARE(textIn(target(), "SELECT name FROM runs WHERE id = 1"), std::string("mine"));
    QVERIFY(isClean(target()));
}

void TestLogMerge::importedTwiceIsOnce()
{
    {
        RunLogWriter log(path("other.db"));
        writeFullRun(log, "full");
    }
    merged("other.db");
    const std::string sums = textIn(target(), "SELECT group_concat(checksum) FROM checksums");
    const LogMerge again = merged("other.db");
    QCOMPARE(again.runs.size(), std::size_t { 1 });
    QVERIFY(again.runs[0].result == ImportResult::Unchanged);
    QCOMPARE(integerIn(target(), "SELECT count(*) FROM runs"), std::int64_t { 1 });
    QCOMPARE(textIn(target(), "SELECT group_concat(checksum) FROM checksums"), sums);
}

void TestLogMerge::aRunThatHasGoneFurtherIsBroughtUpToDate()
{
    RunLogWriter log(path("other.db"));
    const RunId run = writeRun(log, "growing", 70, /*ended=*/false);
    log.flush();
    const RunId imported = merged("other.db").runs.at(0).run;
    QCOMPARE(integerIn(target(), "SELECT count(*) FROM steps"), std::int64_t { 70 });
    for (std::int64_t step = 71; step <= 100; ++step)
        log.sink(run).emitEvent(stepAt(step));
    log.sink(run).emitEvent(endAt(100, RunOutcome::Stopped));
    log.flush();
    const LogMerge merge = merged("other.db");
    QVERIFY(merge.runs.at(0).result == ImportResult::Updated);
    QVERIFY(merge.runs.at(0).run == imported);
    QCOMPARE(textIn(target(), "SELECT outcome FROM runs"), std::string("stopped"));
    QCOMPARE(integerIn(target(), "SELECT count(*) FROM steps"), std::int64_t { 100 });
    QVERIFY(isClean(target()));
    log.resumeRun(run, pointAfter(90));
    for (std::int64_t step = 91; step <= 95; ++step)
        log.sink(run).emitEvent(stepAt(step));
    log.flush();
    QVERIFY(merged("other.db").runs.at(0).result == ImportResult::Updated);
    QCOMPARE(integerIn(target(), "SELECT attempt FROM runs"), std::int64_t { 2 });
    QCOMPARE(integerIn(target(), "SELECT step FROM runs"), std::int64_t { 95 });
    QVERIFY(isClean(target()));
}

void TestLogMerge::aRunThatHasGoneFurtherHereStays()
{
    {
        RunLogWriter log(path("other.db"));
        const RunId run = writeRun(log, "growing", 10, /*ended=*/false);
        log.sink(run).emitEvent(endAt(10, RunOutcome::Stopped));
    }
    fs::copy(path("other.db"), target());
    {
        RunLogWriter log(target());
        log.resumeRun(RunId { 1 }, pointAfter(10));
        log.sink(RunId { 1 }).emitEvent(stepAt(11));
        log.sink(RunId { 1 }).emitEvent(endAt(11));
    }
    QVERIFY(merged("other.db").runs.at(0).result == ImportResult::Unchanged);
    QCOMPARE(integerIn(target(), "SELECT step FROM runs"), std::int64_t { 11 });
}

void TestLogMerge::tagsAndNotesComeTogether()
{
    RunLogWriter log(path("other.db"));
    const RunId run = writeRun(log, "other's", 3);
    log.changeTags(run, { "b", "c" }, {});
    log.setNote(run, "of the other");
    merged("other.db");
    {
        RunLogWriter here(target());
        here.rename(RunId { 1 }, "mine");
        here.changeTags(RunId { 1 }, { "a" }, { "c" });
        here.setNote(RunId { 1 }, "mine");
        here.setArchived(RunId { 1 }, true);
    }
    QVERIFY(merged("other.db").runs.at(0).result == ImportResult::Updated);
    QCOMPARE(textIn(target(), "SELECT name || '|' || tags || '|' || note || archived FROM runs"),
        std::string("mine|a b c|mine\nof the other1"));
    QVERIFY(merged("other.db").runs.at(0).result == ImportResult::Unchanged);
    QVERIFY(isClean(target()));
}

void TestLogMerge::aRunThatWasResumedInBothStays()
{
    {
        RunLogWriter log(path("other.db"));
        const RunId run = writeRun(log, "both", 10, /*ended=*/false);
        log.sink(run).emitEvent(endAt(10, RunOutcome::Stopped));
    }
    fs::copy(path("other.db"), target());
    for (const auto& [file, last] : { std::pair(target(), 12), std::pair(path("other.db"), 20) }) {
        QTest::qWait(2); // two attempts begin at different times
        RunLogWriter log(file);
        log.resumeRun(RunId { 1 }, pointAfter(10));
        for (std::int64_t step = 11; step <= last; ++step)
            log.sink(RunId { 1 }).emitEvent(stepAt(step));
        log.sink(RunId { 1 }).emitEvent(endAt(last));
    }
    const LogMerge merge = merged("other.db");
    QVERIFY(merge.runs.at(0).result == ImportResult::Unchanged);
    QVERIFY2(notesOf(merge).find("#1 was trained in both logs") != std::string::npos,
        notesOf(merge).c_str());
    QCOMPARE(integerIn(target(), "SELECT step FROM runs"), std::int64_t { 12 });
}

void TestLogMerge::aRunThatIsTrainedHereStays()
{
    {
        RunLogWriter log(path("other.db"));
        const RunId run = writeRun(log, "both", 10, /*ended=*/false);
        log.sink(run).emitEvent(endAt(10, RunOutcome::Stopped));
    }
    fs::copy(path("other.db"), target());
    RunLogWriter here(target());
    {
        RunLogWriter log(path("other.db"));
        log.resumeRun(RunId { 1 }, pointAfter(10));
        log.sink(RunId { 1 }).emitEvent(stepAt(11));
        log.sink(RunId { 1 }).emitEvent(endAt(11));
    }
    here.resumeRun(RunId { 1 }, pointAfter(8));
    const LogMerge merge = merged("other.db");
    QVERIFY(merge.runs.at(0).result == ImportResult::Unchanged);
    QVERIFY2(
        notesOf(merge).find("#1 is being trained") != std::string::npos, notesOf(merge).c_str());
    here.sink(RunId { 1 }).emitEvent(stepAt(9));
    QVERIFY(here.flush());
}

void TestLogMerge::aLogThatIsWrittenIsReadInOneState()
{
    RunLogWriter log(path("other.db"));
    const RunId run = writeRun(log, "live", 100, /*ended=*/false);
    log.flush();
    RunImport import(target());
    OtherLog other(path("other.db"));
    for (std::int64_t step = 101; step <= 300; ++step)
        log.sink(run).emitEvent(stepAt(step));
    writeRun(log, "later", 3);
    log.flush();
    const LogMerge merge = mergeLog(import, other, {});
    QVERIFY2(notesOf(merge).find("live is still being trained") != std::string::npos,
        notesOf(merge).c_str());
    QCOMPARE(integerIn(target(), "SELECT count(*) FROM runs"), std::int64_t { 1 });
    QCOMPARE(integerIn(target(), "SELECT step FROM runs"), std::int64_t { 100 });
    QCOMPARE(integerIn(target(), "SELECT max(step) FROM steps"), std::int64_t { 100 });
    QVERIFY(isClean(target()));
}

void TestLogMerge::sweepsComeAlong()
{
    for (const char* name : { "a.db", "b.db" }) {
        RunLogWriter log(path(name));
        writeRun(log, "one", 3);
        writeRun(log, "two", 3);
    }
    // Copies of one log, as for the parts of a sweep, and a sweep of the target's own with that id.
    for (const char* name : { "a.db", "b.db" }) {
        execute(
            path(name), "INSERT INTO sweeps VALUES (1, 'token of the sweep', 'lr', 5, '{}', 7)");
        changeRuns(path(name), "UPDATE runs SET sweep_id = 1");
    }
    {
        RunLogWriter log(target());
        writeRun(log, "mine", 3);
    }
    execute(target(), "INSERT INTO sweeps VALUES (1, 'another', 'mine', 5, '{}', 7)");
    merged("a.db");
    merged("b.db");
    QCOMPARE(textIn(target(), "SELECT group_concat(token) FROM sweeps"),
        std::string("another,token of the sweep"));
    QCOMPARE(
        integerIn(target(), "SELECT count(*) FROM runs WHERE sweep_id = 2"), std::int64_t { 4 });
    QVERIFY(isClean(target()));
}

void TestLogMerge::whatWaitsThereIsNotImported()
{
    {
        RunLogWriter log(path("other.db"));
        writeRun(log, "ended", 3);
        writeRun(log, "waiting", 0, /*ended=*/false);
        log.flush();
    }
    changeRuns(path("other.db"), "DELETE FROM attempts WHERE run_id = 2");
    execute(path("other.db"), "DELETE FROM checksums WHERE run_id = 2 AND table_name = 'attempts'");
    execute(path("other.db"), "INSERT INTO queue (run_id, position, added_ms) VALUES (2, 1, 0)");
    const LogMerge merge = merged("other.db", { .damaged = true });
    QCOMPARE(merge.runs.size(), std::size_t { 1 });
    QCOMPARE(textIn(target(), "SELECT group_concat(name) FROM runs"), std::string("ended"));
    QVERIFY2(notesOf(merge).find("1 run that waits in the queue") != std::string::npos,
        notesOf(merge).c_str());
}

void TestLogMerge::whatEndedThereLeavesTheQueueHere()
{
    {
        RunLogWriter log(path("other.db"));
        const RunId run = writeRun(log, "queued", 10, /*ended=*/false);
        log.sink(run).emitEvent(endAt(10, RunOutcome::Stopped));
    }
    fs::copy(path("other.db"), target());
    {
        RunLogWriter log(path("other.db"));
        log.resumeRun(RunId { 1 }, pointAfter(10));
        log.sink(RunId { 1 }).emitEvent(stepAt(11));
        log.flush();
        execute(
            target(), "INSERT INTO queue (run_id, position, added_ms, begun) VALUES (1, 1, 0, 1)");
        const LogMerge unfinished = merged("other.db");
        QVERIFY2(notesOf(unfinished).find("#1 has not ended") != std::string::npos,
            notesOf(unfinished).c_str());
        QCOMPARE(integerIn(target(), "SELECT count(*) FROM queue"), std::int64_t { 1 });
        log.sink(RunId { 1 }).emitEvent(endAt(11));
    }
    QVERIFY(merged("other.db").runs.at(0).result == ImportResult::Updated);
    QCOMPARE(integerIn(target(), "SELECT count(*) FROM queue"), std::int64_t { 0 });
    QCOMPARE(textIn(target(), "SELECT outcome FROM runs"), std::string("completed"));
}

void TestLogMerge::damageIsRefusedOrLeftOut()
{
    {
        RunLogWriter log(path("other.db"));
        writeRun(log, "damaged", 70);
        writeRun(log, "whole", 3);
    }
    execute(path("other.db"), "UPDATE steps SET loss = 7.0 WHERE run_id = 1 AND step = 3");
    const std::string message = messageOf([&] { merged("other.db"); });
    QVERIFY2(message.find("steps 1 to 64") != std::string::npos
            && message.find("--damaged") != std::string::npos,
        message.c_str());
    QCOMPARE(kindOf([&] { merged("other.db"); }), RunLogError::Kind::Damaged);
    QCOMPARE(integerIn(target(), "SELECT count(*) FROM runs"), std::int64_t { 0 });
    const LogMerge merge = merged("other.db", { .damaged = true });
    QCOMPARE(merge.leftOut.size(), std::size_t { 1 });
    QCOMPARE(textIn(target(), "SELECT group_concat(name) FROM runs"), std::string("whole"));
    QVERIFY(isClean(target()));
}

void TestLogMerge::logsOfOldFormatsAreRead()
{
    makeLogOfFormat1(path("one.db"));
    makeLogOfFormat5(path("five.db"));
    for (const char* name : { "one.db", "five.db" }) {
        const std::int64_t format = integerIn(path(name), "PRAGMA user_version");
        const std::int64_t runs = integerIn(path(name), "SELECT count(*) FROM runs");
        QCOMPARE(static_cast<std::int64_t>(merged(name).runs.size()), runs);
        QCOMPARE(integerIn(path(name), "PRAGMA user_version"), format); // it is not touched
    }
    QVERIFY(integerIn(target(), "SELECT count(*) FROM steps") > 0);
    QCOMPARE(
        integerIn(target(), "SELECT count(*) FROM runs WHERE origin = ''"), std::int64_t { 0 });
    QVERIFY(isClean(target()));
}

void TestLogMerge::checkpointsComeAlongOnRequest()
{
    fs::path saved;
    {
        RunLogWriter log(path("other.db"));
        const RunId run = writeRun(log, "saved", 3, /*ended=*/false);
        saved = log.checkpointFolder(run) / "step-000000003";
        fs::create_directories(saved);
        std::ofstream(saved / "model.safetensors") << "weights";
        log.sink(run).emitEvent(
            CheckpointSaved { .step = 3, .seconds = 1, .folder = saved.string() });
        log.sink(run).emitEvent(endAt(3));
        RunLogWriter here(target());
        writeRun(here, "mine", 1);
    }
    const RunId run = merged("other.db").runs.at(0).run;
    RunLogReader reader(target());
    const fs::path folder = reader.checkpointFolder(run);
    QVERIFY(!fs::exists(folder));
    QCOMPARE(reader.run(run).checkpoint, saved.string());
    const LogMerge merge = merged("other.db", { .checkpoints = true });
    QVERIFY(merge.failures.empty());
    QCOMPARE(fs::file_size(folder / "step-000000003/model.safetensors"), std::uintmax_t { 7 });
    QCOMPARE(reader.run(run).checkpoint, (folder / "step-000000003").string());
    QVERIFY(isClean(target()));
}

void TestLogMerge::itsOriginStays()
{
    {
        RunLogWriter log(path("other.db"));
        writeRun(log, "run", 3);
    }
    changeRuns(path("other.db"), "UPDATE runs SET origin = '/a/first.db'");
    merged("other.db");
    QCOMPARE(textIn(target(), "SELECT origin FROM runs"), std::string("/a/first.db"));
}

void TestLogMerge::noLogIsRefused()
{
    std::ofstream(path("text.db")) << "This is a text, long enough to be more than a header.";
    for (const auto& [name, words] :
        { std::pair("text.db", "is not"), std::pair("nothing.db", "does not exist") }) {
        const std::string message = messageOf([&, name = name] { merged(name); });
        QVERIFY2(message.find(words) != std::string::npos, message.c_str());
    }
}

// As the window does: its one writer imports, and the run that it trains goes on.
void TestLogMerge::theWriterOfAProcessImportsWhileItWritesARun()
{
    {
        RunLogWriter log(path("other.db"));
        writeFullRun(log, "theirs");
    }
    RunLogWriter here(target());
    const RunId mine = writeRun(here, "mine", 3, /*ended=*/false);
    RunImport import(here);
    OtherLog other(path("other.db"));
    const LogMerge merge = mergeLog(import, other, {});
    QCOMPARE(merge.runs.size(), std::size_t { 1 });
    here.sink(mine).emitEvent(stepAt(4));
    here.sink(mine).emitEvent(endAt(4));
    QVERIFY(here.flush());
    QCOMPARE(textIn(target(), "SELECT group_concat(name) FROM runs"), std::string("mine,theirs"));
    QCOMPARE(
        integerIn(target(), "SELECT count(*) FROM steps WHERE run_id = 1"), std::int64_t { 4 });
    QVERIFY(isClean(target()));
}

void TestLogMerge::anImportThatIsStoppedLeavesWholeRuns()
{
    {
        RunLogWriter log(path("other.db"));
        for (const char* name : { "a", "b", "c" })
            writeFullRun(log, name);
    }
    std::stop_source stop;
    RunImport import(target());
    OtherLog other(path("other.db"));
    int reports = 0;
    const LogMerge merge =
        mergeLog(import, other, { .stop = stop.get_token() }, [&](double, const Message& what) {
            if (what.code() == "runlog.importing" && ++reports == 2)
                stop.request_stop(); // while the second one is imported
        });
    QCOMPARE(merge.runs.size(), std::size_t { 2 });
    QCOMPARE(textIn(target(), "SELECT group_concat(name) FROM runs"), std::string("a,b"));
    QVERIFY(isClean(target()));
    QCOMPARE(merged("other.db").runs.size(), std::size_t { 3 }); // and it can be gone on with
    QCOMPARE(textIn(target(), "SELECT group_concat(name) FROM runs"), std::string("a,b,c"));
}

void TestLogMerge::saysWhichRunsALogHas()
{
    {
        RunLogWriter log(path("other.db"));
        writeRun(log, "a", 3);
        writeRun(log, "b", 7, /*ended=*/false);
    }
    OtherLog other(path("other.db"));
    const std::vector<OtherLog::Run> runs = other.runs();
    QCOMPARE(runs.size(), std::size_t { 2 });
    QCOMPARE(runs[0].name, std::string("a"));
    QCOMPARE(runs[1].step, std::int64_t { 7 });
    QVERIFY(runs[0].begun && runs[1].begun);
    QCOMPARE(runs[0].token, textIn(path("other.db"), "SELECT token FROM runs WHERE id = 1"));
    requireAnotherLog(path("other.db"), target());
    fs::create_symlink(path("other.db"), path("same.db"));
    QVERIFY_THROWS_EXCEPTION(InputError, requireAnotherLog(path("same.db"), path("other.db")));
}

QTEST_GUILESS_MAIN(TestLogMerge)
#include "tst_log_merge.moc"
