// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_log_writer.h"

#include "run_log_fixture.h"

#include "engine/logfile/lock_file.h"
#include "engine/runlog/run_log_reader.h"
#include "tests/support/waiting.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>
#include <thread>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Stores the events that it receives, and how many rows were in the file by then.
class RecordingSink : public EventSink {
public:
    explicit RecordingSink(std::filesystem::path log)
        : m_log(std::move(log))
    {
    }
    void emitEvent(Event event) override
    {
        if (const StepDone* step = std::get_if<StepDone>(&event))
            everyStepWasThere =
                everyStepWasThere && integerIn(m_log, "SELECT max(step) FROM steps") >= step->step;
        thread = std::this_thread::get_id();
        names.push_back(event.index());
    }

    std::vector<std::size_t> names;
    bool everyStepWasThere = true;
    std::thread::id thread;

private:
    std::filesystem::path m_log;
};

} // namespace

class TestRunLogWriter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_folder.reset(); }

    void makesTheFileWithItsFolders();
    void aNewLogIsNeverSeenHalfMade();
    void keepsEveryEventOfARun();
    void keepsNonFiniteNumbersAsTheyAre();
    void tellsTheCommittedSinkAfterTheCommit();
    void keepsSummariesWithEveryCommit();
    void keepsTwoRunsApart();
    void keepsASkippedWindowBesideTheStep();
    void settlesBeforeACheckpointGetsItsName();
    void saysWhenItCannotSettle();
    void continuesAFileThatIsThere();
    void renamesNotesAndArchives();
    void refusesARunThatIsNotThere();
    void prunesArchivedRunsWithTheirCheckpoints();
    void prunesOnlyWhatWasAskedForAndIsArchivedStill();
    void removesRunsThatAreNotArchivedButNoneThatTrains();
    void keepsARunThatMayTrainOnAnotherMachineUntilItIsArchived();
    void keepsCheckpointsOfLogsOfOneStemApart();
    void prunesAFolderOfTheFirstNamesOnlyWhereTheRowSaysSo();
    void prunesWhatAKilledProcessLeftUnfinished();
    void saysWhenAPrunedLogCannotBeMadeSmaller();
    void neverPrunesARunThatIsAlive();
    void waitsForItsTurnAndThenWrites();
    void saysWhenTheTurnIsKeptTooLong();
    void writesAllWhenItIsDestroyed();
    void acceptsEventsFromManyThreads();
    void tellsWhetherAllWasWrittenWhenItCloses();
    void holdsTheSessionOnceTheQueueIsFullAndDropsNothing();
    void letsAStoppedSessionThroughAFullQueue();

private:
    std::filesystem::path log() const
    {
        return std::filesystem::path(m_folder->path().toStdString()) / "runs.db";
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestRunLogWriter::makesTheFileWithItsFolders()
{
    const std::filesystem::path deep = log().parent_path() / "a" / "b" / "runs.db";
    const RunLogWriter writer(deep);
    QVERIFY(std::filesystem::exists(deep));
    QCOMPARE(textIn(deep, "PRAGMA journal_mode"), std::string("wal"));
    QVERIFY(integerIn(deep, "PRAGMA user_version") >= 1);
    QCOMPARE(writer.problem().english(), std::string());
}

void TestRunLogWriter::aNewLogIsNeverSeenHalfMade()
{
    constexpr int kLogs = 40;
    for (int made = 0; made < kLogs; ++made) {
        const std::filesystem::path file = log().string() + std::to_string(made);
        std::string problem;
        std::thread reader([&] {
            while (!std::filesystem::exists(file))
                std::this_thread::yield();
            try {
                RunLogReader(file).runs();
            } catch (const RunLogError& error) {
                problem = error.what();
            }
        });
        const RunLogWriter writer(file);
        reader.join();
        QCOMPARE(problem, std::string());
    }
}

void TestRunLogWriter::keepsEveryEventOfARun()
{
    RunLogWriter writer(log());
    const Experiment experiment = experimentNamed("all");
    const RunId run = writer.beginRun(requireResolved(experiment));
    EventSink& sink = writer.sink(run);
    sink.emitEvent(startOf(experiment));
    sink.emitEvent(stepAt(1));
    sink.emitEvent(epochAt(1, 1, 0.5, 0.75));
    sink.emitEvent(evaluationAt(1, 0.4, 0.8));
    sink.emitEvent(CheckpointSaved { 1, 0.01, "/somewhere/run-1" });
    sink.emitEvent(LearningRateChanged { 2, 0.01, 0.5, 0.02 });
    sink.emitEvent(RunPaused { 1, 0.01 });
    sink.emitEvent(RunResumed { 1, 0.01 });
    sink.emitEvent(
        RunMessage { RunMessage::Severity::Warning, 1, 0.01, Message::plain("Mind the gap.") });
    sink.emitEvent(endAt(1));
    QVERIFY(writer.flush());
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM steps"), 1);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM epochs"), 1);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM evaluations"), 1);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM markers"), 6);
    QCOMPARE(textIn(log(), "SELECT outcome FROM runs"), std::string("completed"));
    QCOMPARE(textIn(log(), "SELECT checkpoint FROM runs"), std::string("/somewhere/run-1"));
    QCOMPARE(textIn(log(), "SELECT value FROM settings WHERE key = 'optimizer.name'"),
        std::string("sgd"));
}

void TestRunLogWriter::keepsNonFiniteNumbersAsTheyAre()
{
    RunLogWriter writer(log());
    const RunId run = writer.beginRun(requireResolved(experimentNamed("odd")));
    StepDone step = stepAt(1);
    step.loss = kNaN;
    step.gradientNorm = kInfinity;
    step.learningRate = -kInfinity;
    writer.sink(run).emitEvent(step);
    QVERIFY(writer.flush());
    QCOMPARE(textIn(log(), "SELECT typeof(loss) || loss FROM steps"), std::string("textnan"));
    QCOMPARE(textIn(log(), "SELECT typeof(seconds) FROM steps"), std::string("real"));
    RunLogReader reader(log());
    QVERIFY(std::isnan(reader.series(run, "loss", Axis::Step).at(0).y));
    QCOMPARE(reader.series(run, "gradient_norm", Axis::Step).at(0).y, kInfinity);
    QCOMPARE(reader.series(run, "learning_rate", Axis::Step).at(0).y, -kInfinity);
    QVERIFY(std::isnan(*reader.run(run).lastLoss));
}

void TestRunLogWriter::tellsTheCommittedSinkAfterTheCommit()
{
    RecordingSink committed(log());
    RunLogWriter writer(log());
    const RunId run = writer.beginRun(requireResolved(experimentNamed("told")));
    EventSink& sink = writer.sink(run, &committed);
    for (std::int64_t step = 1; step <= 20; ++step)
        sink.emitEvent(stepAt(step));
    sink.emitEvent(endAt(20));
    QVERIFY(writer.flush());
    QCOMPARE(committed.names.size(), std::size_t { 21 });
    QVERIFY(committed.everyStepWasThere);
    QVERIFY(committed.thread != std::this_thread::get_id());
}

void TestRunLogWriter::keepsSummariesWithEveryCommit()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "summed", 10, /*ended=*/false);
    EventSink& sink = writer.sink(run);
    sink.emitEvent(evaluationAt(5, 0.4, 0.8));
    sink.emitEvent(evaluationAt(10, 0.3, kNaN));
    sink.emitEvent(epochAt(1, 10, 0.25, 0.9));
    QVERIFY(writer.flush());
    RunLogReader reader(log());
    const RunRecord record = reader.run(run);
    QCOMPARE(record.step, 10);
    QCOMPARE(record.samples, 1280);
    QCOMPARE(record.peakBytes, 1010);
    QCOMPARE(*record.lastLoss, 0.1);
    QCOMPARE(*record.bestTestAccuracy, 0.8);
    QCOMPARE(record.bestStep, 5);
    QVERIFY(std::isnan(*record.finalTestAccuracy));
    QCOMPARE(*record.finalTrainLoss, 0.25);
    QCOMPARE(record.throughput, 1280 / 0.1);
    const std::vector<MetricSummary> summaries = reader.summaries(run);
    QCOMPARE(summaries.front().metric, std::string("loss"));
    QCOMPARE(summaries.front().final, 0.1);
    QCOMPARE(summaries.front().best, 0.1);
    QCOMPARE(summaries.front().bestStep, 10);
    QCOMPARE(summaries.front().max, 1.0);
    // All that have a column or are computed from one, but validation.
    const auto own = std::count_if(metrics().begin(), metrics().end(),
        [](const MetricInfo& metric) { return !isCarriedByName(metric); });
    QCOMPARE(std::ssize(summaries), own - 2);
}

void TestRunLogWriter::keepsTwoRunsApart()
{
    RunLogWriter writer(log());
    const RunId first = writer.beginRun(requireResolved(experimentNamed("first")));
    const RunId second = writer.beginRun(requireResolved(experimentNamed("second")));
    for (std::int64_t step = 1; step <= 3; ++step)
        writer.sink(first).emitEvent(stepAt(step));
    writer.sink(second).emitEvent(stepAt(1));
    QVERIFY(writer.flush());
    RunLogReader reader(log());
    QCOMPARE(reader.series(first, "loss", Axis::Step).size(), std::size_t { 3 });
    QCOMPARE(reader.series(second, "loss", Axis::Step).size(), std::size_t { 1 });
}

void TestRunLogWriter::keepsASkippedWindowBesideTheStep()
{
    RunLogWriter writer(log());
    const RunId run = writer.beginRun(requireResolved(experimentNamed("skips")));
    StepDone skipped = stepAt(1);
    skipped.updated = false;
    skipped.loss = kNaN;
    StepDone done = stepAt(2);
    done.step = 1;
    writer.sink(run).emitEvent(skipped);
    writer.sink(run).emitEvent(done);
    QVERIFY(writer.flush());
    RunLogReader reader(log());
    const std::vector<SeriesPoint> loss = reader.series(run, "loss", Axis::Samples);
    QCOMPARE(loss.size(), std::size_t { 2 });
    QVERIFY(std::isnan(loss[0].y));
    QCOMPARE(loss[1].x, 256.0);
}

void TestRunLogWriter::settlesBeforeACheckpointGetsItsName()
{
    RunLogWriter writer(log());
    const RunId run = writer.beginRun(requireResolved(experimentNamed("settles")));
    EventSink& sink = writer.sink(run);
    for (std::int64_t step = 1; step <= 200; ++step) {
        sink.emitEvent(stepAt(step));
        if (step % 50 != 0)
            continue;
        bool settled = false;
        std::thread([&] { settled = sink.settle(); }).join(); // as the checkpoint's thread does
        QVERIFY(settled);
        QCOMPARE(integerIn(log(), "SELECT max(step) FROM steps"), step);
    }
    QVERIFY(sink.settle()); // nothing waits
    QCOMPARE(RunLogReader(log()).run(run).step, 200);
}

void TestRunLogWriter::saysWhenItCannotSettle()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "full", 10, /*ended=*/false);
    EventSink& sink = writer.sink(run);
    {
        const FileSizeLimit limit(1);
        sink.emitEvent(stepAt(11));
        QVERIFY(!sink.settle());
    }
    QVERIFY(sink.settle());
    QCOMPARE(integerIn(log(), "SELECT max(step) FROM steps"), 11);
}

void TestRunLogWriter::continuesAFileThatIsThere()
{
    {
        RunLogWriter writer(log());
        writeRun(writer, "before", 2);
    }
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "after", 2);
    QCOMPARE(numberOf(run), 2);
    QCOMPARE(RunLogReader(log()).runs().size(), std::size_t { 2 });
}

void TestRunLogWriter::renamesNotesAndArchives()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "old", 1);
    writer.rename(run, "new");
    writer.setNote(run, "first try");
    RunLogReader reader(log());
    QCOMPARE(reader.run(run).name, std::string("new"));
    QCOMPARE(reader.run(run).note, std::string("first try"));
    writer.setArchived(run, true);
    QVERIFY(reader.runs().empty());
    QCOMPARE(reader.runs(RunLogReader::Archived::Show).size(), std::size_t { 1 });
    writer.setArchived(run, false);
    QCOMPARE(reader.runs().size(), std::size_t { 1 });
}

void TestRunLogWriter::refusesARunThatIsNotThere()
{
    RunLogWriter writer(log());
    const std::string message = messageOf([&] { writer.rename(RunId { 7 }, "x"); });
    QVERIFY2(message.find("no run #7") != std::string::npos, message.c_str());
}

void TestRunLogWriter::prunesArchivedRunsWithTheirCheckpoints()
{
    RunLogWriter writer(log());
    const RunId kept = writeRun(writer, "kept", 100);
    const RunId gone = writeRun(writer, "gone", 5000);
    for (const RunId run : { kept, gone }) {
        std::filesystem::create_directories(writer.checkpointFolder(run));
        execute(writer.checkpointFolder(run) / "weights", "CREATE TABLE t (x)");
    }
    const std::filesystem::path outside = log().parent_path() / "outside";
    std::filesystem::create_directories(outside);
    std::filesystem::create_directory_symlink(outside, writer.checkpointFolder(gone) / "link");
    writer.setArchived(gone, true);
    const PrunableRuns prunable = RunLogReader(log()).prunable(); // shown before the user confirms
    QCOMPARE(prunable.runs.size(), std::size_t { 1 });
    QCOMPARE(prunable.runs.front().id, gone);
    QVERIFY(prunable.checkpointBytes >= static_cast<std::int64_t>(
                std::filesystem::file_size(writer.checkpointFolder(gone) / "weights")));
    const auto before =
        std::filesystem::file_size(log()) + std::filesystem::file_size(log().string() + "-wal");
    const PrunedRuns pruned = writer.prune({ gone });
    const auto after =
        std::filesystem::file_size(log()) + std::filesystem::file_size(log().string() + "-wal");
    QVERIFY(after < before);
    QCOMPARE(pruned.runs, std::vector<RunId> { gone });
    QVERIFY2(pruned.bytesFreed >= static_cast<std::int64_t>(before - after),
        std::to_string(pruned.bytesFreed).c_str());
    QVERIFY(pruned.bytesFreed > prunable.checkpointBytes);
    QVERIFY(!std::filesystem::exists(writer.checkpointFolder(gone)));
    QVERIFY(std::filesystem::exists(writer.checkpointFolder(kept)));
    QVERIFY(std::filesystem::exists(outside));
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM steps"), 100);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM settings WHERE run_id = 2"), 0);
    QCOMPARE(numberOf(writeRun(writer, "next", 1)), 3); // ids are never given twice
}

void TestRunLogWriter::prunesOnlyWhatWasAskedForAndIsArchivedStill()
{
    RunLogWriter writer(log());
    const RunId asked = writeRun(writer, "asked", 1);
    const RunId later = writeRun(writer, "archived after the question", 1);
    const RunId back = writeRun(writer, "brought back after the question", 1);
    writer.setArchived(asked, true);
    writer.setArchived(later, true);
    for (const RunId run : { later, back })
        std::filesystem::create_directories(writer.checkpointFolder(run));
    QCOMPARE(writer.prune({ asked, back, RunId { 99 } }).runs, std::vector<RunId> { asked });
    QCOMPARE(textIn(log(), "SELECT group_concat(id) FROM (SELECT id FROM runs ORDER BY id)"),
        std::string("2,3"));
    for (const RunId run : { later, back })
        QVERIFY(std::filesystem::exists(writer.checkpointFolder(run)));
}

void TestRunLogWriter::removesRunsThatAreNotArchivedButNoneThatTrains()
{
    RunLogWriter writer(log());
    const RunId shown = writeRun(writer, "shown", 1);
    const RunId away = writeRun(writer, "archived", 1);
    const RunId alive = writeRun(writer, "trains", 1, /*ended=*/false);
    const RunId kept = writeRun(writer, "kept", 1);
    writer.setArchived(away, true);
    for (const RunId run : { shown, away, alive, kept })
        std::filesystem::create_directories(writer.checkpointFolder(run));
    QCOMPARE(writer.prune({ shown, away, alive, RunId { 99 } }, Prunable::Any).runs,
        (std::vector<RunId> { shown, away }));
    QCOMPARE(textIn(log(), "SELECT group_concat(id) FROM (SELECT id FROM runs ORDER BY id)"),
        std::string("3,4"));
    for (const RunId run : { shown, away })
        QVERIFY(!std::filesystem::exists(writer.checkpointFolder(run)));
    for (const RunId run : { alive, kept })
        QVERIFY(std::filesystem::exists(writer.checkpointFolder(run)));
}

// A log in a folder that two machines share.
void TestRunLogWriter::keepsARunThatMayTrainOnAnotherMachineUntilItIsArchived()
{
    RunId run {};
    {
        RunLogWriter gone(log());
        run = writeRun(gone, "far", 1, /*ended=*/false);
    }
    changeRuns(log(), "UPDATE runs SET host = 'another', boot_id = 'other'");
    const std::filesystem::path saved = RunLogReader(log()).checkpointFolder(run);
    std::filesystem::create_directories(saved);
    RunLogWriter writer(log());
    QVERIFY(writer.prune({ run }, Prunable::Any).runs.empty());
    QVERIFY(std::filesystem::exists(saved));
    writer.setArchived(run, true);
    QCOMPARE(writer.prune({ run }, Prunable::Any).runs, std::vector<RunId> { run });
}

void TestRunLogWriter::keepsCheckpointsOfLogsOfOneStemApart()
{
    const std::filesystem::path other = log().parent_path() / "runs.sqlite";
    RunLogWriter first(log());
    RunLogWriter second(other);
    const RunId run = writeRun(first, "first", 1);
    QCOMPARE(writeRun(second, "second", 1), run);
    const std::filesystem::path kept = first.checkpointFolder(run);
    QVERIFY(kept != second.checkpointFolder(run));
    QCOMPARE(kept.parent_path(), log().parent_path() / "runs.checkpoints");
    QVERIFY(kept.filename().string().starts_with("run-1-"));
    std::filesystem::create_directories(kept);
    second.setArchived(run, true);
    QCOMPARE(second.prune({ run }).runs.size(), std::size_t { 1 });
    QVERIFY(std::filesystem::exists(kept));
}

void TestRunLogWriter::prunesAFolderOfTheFirstNamesOnlyWhereTheRowSaysSo()
{
    RunLogWriter writer(log());
    const std::filesystem::path folder = log().parent_path() / "runs.checkpoints";
    for (const bool told : { true, false }) {
        const RunId run = writeRun(writer, "old", 1, /*ended=*/false);
        const std::filesystem::path old = folder / ("run-" + std::to_string(numberOf(run)));
        std::filesystem::create_directories(old);
        RunEnded ended = endAt(1);
        ended.checkpoint = told ? old.string() : "";
        writer.sink(run).emitEvent(ended);
        QVERIFY(writer.flush());
        writer.setArchived(run, true);
        writer.prune({ run });
        QCOMPARE(std::filesystem::exists(old), !told);
    }
}

void TestRunLogWriter::prunesWhatAKilledProcessLeftUnfinished()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "killed", 1);
    const std::filesystem::path folder = writer.checkpointFolder(run);
    const std::filesystem::path unfinished = folder.string() + ".writing-4711";
    const std::filesystem::path ofAnother = folder.string() + "0.writing-4711";
    for (const std::filesystem::path& left : { unfinished, ofAnother })
        std::filesystem::create_directories(left);
    writer.setArchived(run, true);
    writer.prune({ run });
    QVERIFY(!std::filesystem::exists(unfinished));
    QVERIFY(std::filesystem::exists(ofAnother));
}

// Compacting writes all that is left once more.
void TestRunLogWriter::saysWhenAPrunedLogCannotBeMadeSmaller()
{
    RunId gone {};
    {
        RunLogWriter writer(log());
        writeRun(writer, "kept", 5000);
        gone = writeRun(writer, "gone", 10);
        writer.setArchived(gone, true);
    }
    RunLogWriter writer(log());
    PrunedRuns pruned;
    {
        const FileSizeLimit limit(std::filesystem::file_size(log()) / 2);
        pruned = writer.prune({ gone });
    }
    QCOMPARE(pruned.runs, std::vector<RunId> { gone });
    QVERIFY2(pruned.notCompacted.english().find("Free some space") != std::string::npos,
        pruned.notCompacted.english().c_str());
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM runs"), 1);
    QCOMPARE(textIn(log(), "PRAGMA integrity_check"), std::string("ok"));
    writer.setArchived(RunId { 1 }, true);
    QCOMPARE(writer.prune({ RunId { 1 } }).notCompacted.english(), std::string());
}

void TestRunLogWriter::neverPrunesARunThatIsAlive()
{
    RunLogWriter writer(log());
    RunLogWriter other(log());
    const RunId mine = writer.beginRun(requireResolved(experimentNamed("mine")));
    const RunId others = other.beginRun(requireResolved(experimentNamed("other")));
    writer.setArchived(mine, true);
    writer.setArchived(others, true);
    QVERIFY(RunLogReader(log()).prunable().runs.empty());
    QVERIFY(writer.prune({ mine, others }).runs.empty());
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM runs"), 2);
    writer.sink(mine).emitEvent(endAt(0, RunOutcome::Stopped));
    writer.flush();
    QCOMPARE(writer.prune({ mine, others }).runs, std::vector<RunId> { mine });
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM runs"), 1);
}

void TestRunLogWriter::waitsForItsTurnAndThenWrites()
{
    RunLogWriter writer(log());
    const RunId run = writer.beginRun(requireResolved(experimentNamed("waits")));
    LockFile other(log(), LockFile::Purpose::Writing);
    QVERIFY(other.tryTurn());
    writer.sink(run).emitEvent(stepAt(1));
    QTest::qWait(200);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM steps"), 0);
    QCOMPARE(writer.problem().english(), std::string());
    other.endTurn();
    QVERIFY(writer.flush());
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM steps"), 1);
}

void TestRunLogWriter::saysWhenTheTurnIsKeptTooLong()
{
    RunLogWriter writer(log());
    const RunId run = writer.beginRun(requireResolved(experimentNamed("waits")));
    LockFile other(log(), LockFile::Purpose::Writing);
    QVERIFY(other.tryTurn());
    writer.sink(run).emitEvent(stepAt(1));
    QVERIFY(!writer.flush());
    QVERIFY2(writer.problem().english().find("Another process has held") != std::string::npos,
        writer.problem().english().c_str());
    const std::string message = messageOf([&] { writer.setNote(run, "x"); });
    QVERIFY2(message.find("Another process has held") != std::string::npos, message.c_str());
    other.endTurn();
    QVERIFY(writer.flush());
    QCOMPARE(writer.problem().english(), std::string());
}

void TestRunLogWriter::writesAllWhenItIsDestroyed()
{
    {
        RunLogWriter writer(log());
        const RunId run = writer.beginRun(requireResolved(experimentNamed("hasty")));
        for (std::int64_t step = 1; step <= 10'000; ++step)
            writer.sink(run).emitEvent(stepAt(step));
    }
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM steps"), 10'000);
    QCOMPARE(RunLogReader(log()).runs().front().state, RunState::Interrupted);
}

void TestRunLogWriter::acceptsEventsFromManyThreads()
{
    RunLogWriter writer(log());
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i)
        threads.emplace_back(
            [&writer, i] { writeRun(writer, "thread " + std::to_string(i), 500); });
    for (std::thread& thread : threads)
        thread.join();
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM steps"), 2000);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM runs WHERE step = 500"), 4);
}

void TestRunLogWriter::holdsTheSessionOnceTheQueueIsFullAndDropsNothing()
{
    RunLogWriter writer(log());
    const RunId run = writer.beginRun(requireResolved(experimentNamed("held")));
    LockFile other(log(), LockFile::Purpose::Writing);
    QVERIFY(other.tryTurn());
    constexpr int kMessages = 100;
    std::atomic<int> emitted { 0 };
    std::thread session([&] {
        const std::string text(1 << 20, 'x'); // 64 of them fill 64 MiB
        for (int i = 1; i <= kMessages; ++i) {
            writer.sink(run).emitEvent(
                RunMessage { RunMessage::Severity::Information, i, 0.0, Message::plain(text) });
            emitted = i;
        }
    });
    QTRY_VERIFY(emitted == 63);
    QTest::qWait(100);
    QCOMPARE(emitted.load(), 63);
    other.endTurn();
    session.join();
    QVERIFY(writer.flush());
    QCOMPARE(integerIn(log(), "SELECT count(DISTINCT step) FROM markers"), kMessages);
}

void TestRunLogWriter::tellsWhetherAllWasWrittenWhenItCloses()
{
    LockFile other(log(), LockFile::Purpose::Writing);
    for (const bool held : { false, true }) {
        RunLogWriter writer(log());
        const RunId run = writer.beginRun(requireResolved(experimentNamed("closed")));
        QVERIFY(!held || other.tryTurn());
        writer.sink(run).emitEvent(stepAt(1));
        QCOMPARE(writer.close(), !held);
    }
    other.endTurn();
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM steps"), 1);
}

void TestRunLogWriter::letsAStoppedSessionThroughAFullQueue()
{
    RunLogWriter writer(log());
    const RunId run = writer.beginRun(requireResolved(experimentNamed("stopped")));
    LockFile other(log(), LockFile::Purpose::Writing);
    QVERIFY(other.tryTurn());
    std::atomic<int> emitted { 0 };
    std::thread session([&] {
        const std::string text(1 << 20, 'x');
        for (int i = 1; i <= 70; ++i) {
            writer.sink(run).emitEvent(
                RunMessage { RunMessage::Severity::Information, i, 0.0, Message::plain(text) });
            emitted = i;
        }
    });
    QTRY_COMPARE(emitted.load(), 63);
    writer.admitAll();
    session.join(); // nobody has given the turn back
    other.endTurn();
    QVERIFY(writer.flush());
    QCOMPARE(integerIn(log(), "SELECT count(DISTINCT step) FROM markers"), 70);
}

QTEST_GUILESS_MAIN(TestRunLogWriter)
#include "tst_run_log_writer.moc"
