// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_log_resume.h"

#include "run_log_fixture.h"

#include "engine/exchange/csv.h"
#include "engine/logfile/lock_file.h"
#include "engine/runlog/run_log_reader.h"

#include <fstream>
#include <iterator>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kEpoch = 10; // steps

enum class Kept { Yes, No };

// Steps after `from` up to `to`, each tenth with the end of an epoch and an evaluation. The values
// that will be superseded are better than all valid ones, so that they would be noticed anywhere.
void writeSteps(EventSink& sink, std::int64_t from, std::int64_t to, Kept kept = Kept::Yes)
{
    const double share = kept == Kept::Yes ? 1 : 1e-3;
    for (std::int64_t number = from + 1; number <= to; ++number) {
        StepDone step = stepAt(number);
        step.loss *= share;
        step.peakBytes += kept == Kept::Yes ? 0 : 1'000'000;
        sink.emitEvent(step);
        if (number % kEpoch != 0)
            continue;
        const auto x = static_cast<double>(number);
        sink.emitEvent(epochAt(number / kEpoch, number, share / x, 1 - share * 0.5));
        sink.emitEvent(validated(evaluationAt(number, share * 1.1 / x, 1 - share * (0.4 + 1 / x)),
            share * 1.2 / x, 1 - share * (0.5 - 1 / x)));
    }
}

std::string csvOf(RunLogReader& reader, RunId run, const fs::path& file)
{
    exportSeriesCsv(reader, { run }, file);
    std::ifstream stream(file, std::ios::binary);
    std::string text { std::istreambuf_iterator<char>(stream), {} };
    const std::string head = "\n" + std::to_string(numberOf(run)) + ",";
    for (std::size_t at = text.find(head); at != std::string::npos; at = text.find(head, at))
        text.replace(at, head.size(), "\n,"); // all but the run's number
    return text;
}

bool sameSummary(const MetricSummary& a, const MetricSummary& b)
{
    return a.metric == b.metric && sameValue(a.final, b.final) && sameValue(a.best, b.best)
        && a.bestStep == b.bestStep && sameValue(a.min, b.min) && sameValue(a.max, b.max);
}

} // namespace

class TestResume : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void goesOnAsIfItHadNeverStopped_data();
    void goesOnAsIfItHadNeverStopped();
    void knowsAtOnceWhatItWouldKnowThere_data();
    void knowsAtOnceWhatItWouldKnowThere();
    void goesBackFurtherTheSecondTime();
    void keepsARowAtTheVeryPlace();
    void supersededRowsStayInTheFile();
    void followingSeesOnlyWhatCounts();
    void tellsWhichMarkersAreSuperseded();
    void showsTheEndOfAnAttemptNoLonger();
    void theNewestAttemptDecidesTheState();
    void keepsARowForEveryAttempt();
    void aStoppedRunGoesOnInTheSameProgram();
    void aCompletedRunGoesOnForLonger();
    void aRunWhoseRatesKnowItsLengthKeepsIt_data();
    void aRunWhoseRatesKnowItsLengthKeepsIt();
    void theRecipeIsThatOfTheNewestAttempt();
    void saysWhenTheLogLacksRows();
    void refusesWhatCannotBeResumed();
    void leavesEverythingAsItWasWhereItFails();
    void pruningTakesTheAttemptsAlong();
    void bothSidesNameOneCheckpointFolder();

private:
    // A run that was cut off after `to` steps, of which those after `good` are going to be
    // superseded; by a writer that is gone.
    RunId interrupted(std::int64_t good, std::int64_t to);
    RunId whole(std::int64_t steps);
    void compareCourse(RunId run, RunId expected);

    fs::path log() const { return fs::path(m_folder->path().toStdString()) / "runs.db"; }
    RunLogReader& reader()
    {
        if (!m_reader)
            m_reader = std::make_unique<RunLogReader>(log());
        return *m_reader;
    }
    RunLogWriter& writer()
    {
        if (!m_writer)
            m_writer = std::make_unique<RunLogWriter>(log());
        return *m_writer;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogWriter> m_writer;
    std::unique_ptr<RunLogReader> m_reader;
};

void TestResume::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

void TestResume::cleanup()
{
    m_reader.reset();
    m_writer.reset();
    m_folder.reset();
}

RunId TestResume::interrupted(std::int64_t good, std::int64_t to)
{
    RunLogWriter gone(log());
    const Experiment experiment = experimentNamed("run");
    const RunId run = gone.beginRun(requireResolved(experiment));
    EventSink& sink = gone.sink(run);
    sink.emitEvent(startOf(experiment));
    writeSteps(sink, 0, good);
    writeSteps(sink, good, to, Kept::No);
    return run;
}

RunId TestResume::whole(std::int64_t steps)
{
    const Experiment experiment = experimentNamed("run");
    const RunId run = writer().beginRun(requireResolved(experiment));
    EventSink& sink = writer().sink(run);
    sink.emitEvent(startOf(experiment));
    writeSteps(sink, 0, steps);
    sink.emitEvent(endAt(steps));
    writer().flush();
    return run;
}

// Everything that is read of it, but when and how often.
void TestResume::compareCourse(RunId run, RunId expected)
{
    for (const MetricInfo& metric : metrics())
        for (const Axis axis :
            { Axis::Step, Axis::Samples, Axis::MicroBatches, Axis::Epoch, Axis::Seconds }) {
            QCOMPARE(reader().series(run, metric.name, axis),
                reader().series(expected, metric.name, axis));
            QCOMPARE(reader().thinned(run, metric.name, axis, 4),
                reader().thinned(expected, metric.name, axis, 4));
        }
    const auto csv = fs::path(m_folder->path().toStdString()) / "series.csv";
    QCOMPARE(csvOf(reader(), run, csv), csvOf(reader(), expected, csv));
    const std::vector<MetricSummary> found = reader().summaries(run);
    const std::vector<MetricSummary> wanted = reader().summaries(expected);
    QCOMPARE(found.size(), wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        QVERIFY2(sameSummary(found[i], wanted[i]), found[i].metric.c_str());
    const RunRecord a = reader().run(run);
    const RunRecord b = reader().run(expected);
    QCOMPARE(a.step, b.step);
    QCOMPARE(a.samples, b.samples);
    QCOMPARE(a.microBatches, b.microBatches);
    QCOMPARE(a.epoch, b.epoch);
    QCOMPARE(a.seconds, b.seconds);
    QCOMPARE(a.throughput, b.throughput);
    QCOMPARE(a.peakBytes, b.peakBytes);
    QCOMPARE(a.bestStep, b.bestStep);
    for (const auto value :
        { &RunRecord::lastLoss, &RunRecord::finalTrainLoss, &RunRecord::finalTrainAccuracy,
            &RunRecord::finalTestLoss, &RunRecord::finalTestAccuracy, &RunRecord::bestTestAccuracy,
            &RunRecord::finalValidationLoss, &RunRecord::finalValidationAccuracy,
            &RunRecord::bestValidationAccuracy })
        QVERIFY(sameValue(a.*value, b.*value));
}

void TestResume::goesOnAsIfItHadNeverStopped_data()
{
    QTest::addColumn<std::int64_t>("from");
    QTest::addColumn<std::int64_t>("cutOff");
    QTest::newRow("at the end of an epoch") << std::int64_t { 30 } << std::int64_t { 47 };
    QTest::newRow("between two evaluations") << std::int64_t { 33 } << std::int64_t { 34 };
    QTest::newRow("where nothing was written since") << std::int64_t { 30 } << std::int64_t { 30 };
    QTest::newRow("from the beginning") << std::int64_t { 0 } << std::int64_t { 7 };
    QTest::newRow("before its first row") << std::int64_t { 0 } << std::int64_t { 0 };
}

void TestResume::goesOnAsIfItHadNeverStopped()
{
    QFETCH(std::int64_t, from);
    QFETCH(std::int64_t, cutOff);
    const RunId run = interrupted(from, cutOff);
    writer().resumeRun(run, pointAfter(from));
    EventSink& sink = writer().sink(run);
    sink.emitEvent(startOf(experimentNamed("run")));
    writeSteps(sink, from, 60);
    sink.emitEvent(endAt(60));
    QVERIFY(writer().flush());
    compareCourse(run, whole(60));
    QCOMPARE(reader().run(run).attempt, 2);
    QCOMPARE(reader().run(run).state, RunState::Finished);
    QCOMPARE(reader().runs().size(), std::size_t { 2 });
}

void TestResume::knowsAtOnceWhatItWouldKnowThere_data()
{
    QTest::addColumn<std::int64_t>("from");
    QTest::newRow("after two epochs") << std::int64_t { 25 };
    QTest::newRow("before the first epoch's end") << std::int64_t { 5 };
}

// Before the resumed run has emitted anything; it is compared with a run that ended there.
void TestResume::knowsAtOnceWhatItWouldKnowThere()
{
    QFETCH(std::int64_t, from);
    const RunId run = interrupted(from, 41);
    writer().resumeRun(run, pointAfter(from));
    compareCourse(run, whole(from));
    QCOMPARE(reader().run(run).state, RunState::Running);
    QCOMPARE(reader().run(run).device, std::string("cpu"));
}

void TestResume::goesBackFurtherTheSecondTime()
{
    const RunId run = interrupted(20, 35);
    {
        RunLogWriter second(log());
        second.resumeRun(run, pointAfter(30)); // takes rows for good that the third will not
        writeSteps(second.sink(run), 30, 52, Kept::No);
    }
    writer().resumeRun(run, pointAfter(20));
    EventSink& sink = writer().sink(run);
    writeSteps(sink, 20, 40);
    sink.emitEvent(endAt(40));
    QVERIFY(writer().flush());
    compareCourse(run, whole(40));
    QCOMPARE(reader().run(run).attempt, 3);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM steps WHERE run_id = 1 AND attempt = 2"), 22);
}

// The session evaluates before it saves: what it wrote there is not written again.
void TestResume::keepsARowAtTheVeryPlace()
{
    const RunId run = interrupted(30, 30);
    ResumePoint inWindow = pointAfter(30); // two micro-batches of step 31 were done
    inWindow.microBatches += 2;
    inWindow.samples += 64;
    writer().resumeRun(run, inWindow);
    QCOMPARE(reader().series(run, "test_loss", Axis::Step).size(), std::size_t { 3 });
    QCOMPARE(reader().run(run).microBatches, 122);
    writeSteps(writer().sink(run), 30, 31);
    QVERIFY(writer().flush());
    QCOMPARE(reader().series(run, "loss", Axis::MicroBatches).back().x, 124.0);
    QCOMPARE(reader().series(run, "loss", Axis::Step).size(), std::size_t { 31 });
}

void TestResume::supersededRowsStayInTheFile()
{
    const RunId run = interrupted(30, 47);
    writer().resumeRun(run, pointAfter(30));
    writeSteps(writer().sink(run), 30, 40);
    QVERIFY(writer().flush());
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM steps WHERE attempt = 1"), 47);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM steps WHERE attempt = 2"), 10);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM epochs WHERE epoch = 4"), 2);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM evaluations WHERE step = 40"), 2);
    QCOMPARE(reader().series(run, "loss", Axis::Step).size(), std::size_t { 40 });
}

void TestResume::followingSeesOnlyWhatCounts()
{
    const RunId run = interrupted(30, 47);
    writer().resumeRun(run, pointAfter(30));
    QVERIFY(reader().seriesAfter(run, "loss", Axis::Step, 30).empty());
    writeSteps(writer().sink(run), 30, 33);
    QVERIFY(writer().flush());
    const std::vector<SeriesPoint> added = reader().seriesAfter(run, "loss", Axis::Step, 31);
    QCOMPARE(added.size(), std::size_t { 2 });
    QCOMPARE(added[0], (SeriesPoint { 32, stepAt(32).loss }));
}

void TestResume::tellsWhichMarkersAreSuperseded()
{
    RunId run {};
    {
        RunLogWriter gone(log());
        run = gone.beginRun(requireResolved(experimentNamed("run")));
        EventSink& sink = gone.sink(run);
        writeSteps(sink, 0, 10);
        sink.emitEvent(
            RunMessage { RunMessage::Severity::Information, 10, 0.1, Message::plain("kept") });
        sink.emitEvent(CheckpointSaved { 10, 0.11, "/a/folder" });
        sink.emitEvent(LearningRateChanged { 11, 0.11, 0.5, 0.02 }); // the checkpoint has the old
        writeSteps(sink, 10, 12, Kept::No);
        sink.emitEvent(
            RunMessage { RunMessage::Severity::Warning, 12, 0.12, Message::plain("superseded") });
    }
    writer().resumeRun(run, pointAfter(10));
    const std::vector<RunMarker> markers = reader().markers(run);
    QCOMPARE(markers.size(), std::size_t { 5 });
    const std::vector<bool> expected { false, false, true, true, false };
    for (std::size_t i = 0; i < markers.size(); ++i)
        QVERIFY2(markers[i].superseded == expected[i], markers[i].text.english().c_str());
    QCOMPARE(markers[4].kind, RunMarker::Kind::Continued);
    QCOMPARE(markers[4].text.english(), std::string("Resumed as attempt 2 from step 10"));
    QCOMPARE(markers[4].severity, RunMessage::Severity::Information);
    QCOMPARE(markers[4].step, 10);
    QCOMPARE(markers[4].samples, 1280);
    QCOMPARE(markers[4].seconds, 0.1);
    const std::vector<RunMarker> latest = reader().latestMarkers(3);
    QCOMPARE(latest[0].kind, RunMarker::Kind::Continued);
    QVERIFY(!latest[0].superseded);
    QVERIFY(latest[1].superseded);
}

void TestResume::showsTheEndOfAnAttemptNoLonger()
{
    const RunId run = interrupted(20, 20);
    for (const RunOutcome outcome : { RunOutcome::Stopped, RunOutcome::Diverged,
             RunOutcome::OutOfMemory, RunOutcome::Failed }) {
        writer().resumeRun(run, pointAfter(20));
        QVERIFY(!reader().run(run).outcome);
        QVERIFY(reader().run(run).message.empty());
        QCOMPARE(reader().run(run).endedMs, 0);
        RunEnded ended = endAt(20, outcome);
        ended.message = Message::plain("It had to end.");
        writer().sink(run).emitEvent(ended);
        QVERIFY(writer().flush());
        QVERIFY(reader().run(run).outcome == outcome);
    }
    QCOMPARE(reader().run(run).attempt, 5);
}

void TestResume::theNewestAttemptDecidesTheState()
{
    const RunId run = interrupted(10, 20);
    QCOMPARE(reader().run(run).state, RunState::Interrupted);
    writer().resumeRun(run, pointAfter(10));
    QCOMPARE(reader().run(run).state, RunState::Running);
    writer().sink(run).emitEvent(RunPaused { 10, 0.1 });
    QVERIFY(writer().flush());
    QCOMPARE(reader().run(run).state, RunState::Paused);
    m_writer.reset(); // its process is gone
    QVERIFY(reader().changed());
    QCOMPARE(reader().run(run).state, RunState::Interrupted);
    writer().resumeRun(run, pointAfter(10));
    QCOMPARE(reader().run(run).state, RunState::Running); // no longer paused
    writer().sink(run).emitEvent(endAt(10, RunOutcome::Stopped));
    QVERIFY(writer().flush());
    QCOMPARE(reader().run(run).state, RunState::Finished);
}

void TestResume::keepsARowForEveryAttempt()
{
    const RunId run = interrupted(30, 33);
    changeRuns(log(), "UPDATE runs SET started_ms = 1234");
    writer().resumeRun(run, pointAfter(30));
    RunStarted started = startOf(experimentNamed("run"));
    started.plan.micro = 64; // the same batch, split differently
    started.threads = 1;
    writer().sink(run).emitEvent(started);
    writer().sink(run).emitEvent(endAt(40, RunOutcome::Stopped));
    QVERIFY(writer().flush());
    const std::vector<RunAttempt> attempts = reader().attempts(run);
    QCOMPARE(attempts.size(), std::size_t { 2 });
    QCOMPARE(attempts[0].attempt, 1);
    QCOMPARE(attempts[0].from.microBatches, 0);
    QCOMPARE(attempts[0].threads, 2);
    QVERIFY(!attempts[0].outcome);
    QCOMPARE(attempts[0].endedMs, 0);
    QVERIFY(attempts[0].startedMs > 1'600'000'000'000);
    QVERIFY(!attempts[0].host.empty() && !attempts[0].programVersion.empty());
    QCOMPARE(attempts[1].attempt, 2);
    QCOMPARE(attempts[1].from.epoch, 3);
    QCOMPARE(attempts[1].from.step, 30);
    QCOMPARE(attempts[1].from.samples, 3840);
    QCOMPARE(attempts[1].from.microBatches, 120);
    QCOMPARE(attempts[1].from.seconds, 0.3);
    QCOMPARE(attempts[1].threads, 1);
    QCOMPARE(attempts[1].torchVersion, std::string("2.11.0"));
    QVERIFY(attempts[1].outcome == RunOutcome::Stopped);
    QVERIFY(attempts[1].endedMs >= attempts[1].startedMs);
    QCOMPARE(reader().run(run).plan.micro, 64);
    QCOMPARE(integerIn(log(), "SELECT started_ms FROM runs"), 1234); // the first event's
}

void TestResume::aStoppedRunGoesOnInTheSameProgram()
{
    const Experiment experiment = experimentNamed("run");
    const RunId run = writer().beginRun(requireResolved(experiment));
    const fs::path folder = writer().checkpointFolder(run);
    writer().sink(run).emitEvent(startOf(experiment));
    writeSteps(writer().sink(run), 0, 15);
    writer().sink(run).emitEvent(endAt(15, RunOutcome::Stopped));
    QVERIFY(writer().flush());
    writer().resumeRun(run, pointAfter(15));
    QCOMPARE(writer().checkpointFolder(run), folder);
    writeSteps(writer().sink(run), 15, 30);
    writer().sink(run).emitEvent(endAt(30));
    QVERIFY(writer().flush());
    compareCourse(run, whole(30));
}

void TestResume::aCompletedRunGoesOnForLonger()
{
    const RunId run = writeRun(writer(), "short", 10);
    Experiment longer = reader().run(run).experiment;
    longer.run.epochs *= 2;
    const std::string refused = messageOf([&] {
        writer().resumeRun(run, pointAfter(10), requireResolved(reader().run(run).experiment));
    });
    QVERIFY2(refused.find("resume it with more epochs") != std::string::npos, refused.c_str());
    QCOMPARE(reader().run(run).attempt, 1);
    writer().resumeRun(run, pointAfter(10), requireResolved(longer));
    RunStarted started = startOf(longer);
    started.totalSteps = 20;
    writer().sink(run).emitEvent(started);
    QVERIFY(writer().flush());
    const RunRecord record = reader().run(run);
    QCOMPARE(record.attempt, 2);
    QCOMPARE(record.state, RunState::Running);
    QCOMPARE(record.experiment.run.epochs, longer.run.epochs);
    QCOMPARE(record.totalSteps, 20);
    QVERIFY(reader().damageInRuns().empty());
    QVERIFY(reader().damageIn(run, CheckedTable::RunSettings).damage.empty());
}

// The rates of its steps so far would have been others.
void TestResume::aRunWhoseRatesKnowItsLengthKeepsIt_data()
{
    QTest::addColumn<bool>("completed");
    QTest::addColumn<int>("epochs");
    QTest::newRow("completed, longer") << true << 20;
    QTest::newRow("stopped, longer") << false << 20;
    QTest::newRow("stopped, shorter") << false << 5;
}

void TestResume::aRunWhoseRatesKnowItsLengthKeepsIt()
{
    QFETCH(bool, completed);
    QFETCH(int, epochs);
    Experiment experiment = experimentNamed("cosine");
    experiment.schedule.name = ScheduleName::Cosine;
    const RunId run = writer().beginRun(requireResolved(experiment));
    writer().sink(run).emitEvent(startOf(experiment));
    writeSteps(writer().sink(run), 0, 15);
    writer().sink(run).emitEvent(
        endAt(15, completed ? RunOutcome::Completed : RunOutcome::Stopped));
    QVERIFY(writer().flush());
    Experiment other = experiment;
    other.run.epochs = epochs;
    const std::string refused =
        messageOf([&] { writer().resumeRun(run, pointAfter(15), requireResolved(other)); });
    QVERIFY2(refused.find("schedule.name is cosine") != std::string::npos, refused.c_str());
    QCOMPARE(reader().run(run).attempt, 1);
    if (!completed)
        writer().resumeRun(run, pointAfter(15), requireResolved(experiment));
}

void TestResume::theRecipeIsThatOfTheNewestAttempt()
{
    const RunId run = interrupted(5, 7);
    Experiment now = reader().run(run).experiment;
    now.run.epochs = 77;
    now.run.device = "cuda:1";
    now.data.path = "/b";
    writer().resumeRun(run, pointAfter(5), requireResolved(now));
    QVERIFY(reader().run(run).experiment == now);
    QCOMPARE(integerIn(log(), "SELECT value FROM settings WHERE key = 'run.epochs'"), 77);
    const std::vector<RunMarker> markers = reader().markers(run);
    QVERIFY2(markers.back().text.english().find("; run.device changed from auto to cuda:1")
            != std::string::npos,
        markers.back().text.english().c_str());
    QVERIFY2(markers.back().text.english().find("; data.path changed from none to /b")
            != std::string::npos,
        markers.back().text.english().c_str());
    QVERIFY2(markers.back().text.english().find("; run.epochs changed from 10 to 77")
            != std::string::npos,
        markers.back().text.english().c_str());
}

// A checkpoint may be on the disk before the last rows are, when the process dies.
void TestResume::saysWhenTheLogLacksRows()
{
    const RunId run = interrupted(27, 27);
    writer().resumeRun(run, pointAfter(30));
    const RunMarker marker = reader().markers(run).back();
    QCOMPARE(marker.kind, RunMarker::Kind::Continued);
    QCOMPARE(marker.severity, RunMessage::Severity::Warning);
    QVERIFY2(marker.text.english().find("the steps after 27") != std::string::npos,
        marker.text.english().c_str());
    QCOMPARE(reader().run(run).step, 30);
}

void TestResume::refusesWhatCannotBeResumed()
{
    const auto refusal = [&](RunId run) { return messageOf([&] { writer().resumeRun(run, {}); }); };
    const auto says = [&](RunId run, const char* words) {
        const std::string message = refusal(run);
        return QTest::qVerify(
            message.find(words) != std::string::npos, words, message.c_str(), __FILE__, __LINE__);
    };
    QVERIFY(says(RunId { 7 }, "There is no run #7 in "));
    const RunId completed = whole(3);
    QVERIFY(says(completed, "has completed, so there is nothing left to resume."));
    const RunId alive = writer().beginRun(requireResolved(experimentNamed("alive")));
    QVERIFY(says(alive, "is training now."));
    RunLogWriter other(log());
    const RunId aliveElsewhere = other.beginRun(requireResolved(experimentNamed("elsewhere")));
    QVERIFY(says(aliveElsewhere, "is training now."));
    writer().sink(aliveElsewhere); // known here, yet not ours
    const RunId archived = interrupted(5, 5);
    writer().setArchived(archived, true);
    QVERIFY(says(archived, "Unarchive it"));
    const RunId far = interrupted(5, 5);
    execute(log(),
        "UPDATE runs SET host = 'another', boot_id = 'other' WHERE id = "
            + std::to_string(numberOf(far)));
    QVERIFY(says(far, "was started on the host another"));
    for (const RunRecord& run : reader().runs(RunLogReader::Archived::Show)) {
        QVERIFY(!whyNotResumable(run).empty());
        QCOMPARE(run.attempt, 1);
    }
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM attempts WHERE attempt > 1"), 0);
    QVERIFY(writer().flush());
    writer().sink(alive).emitEvent(stepAt(1)); // it is still the one who writes it
    QVERIFY(writer().flush());
    QCOMPARE(reader().run(alive).state, RunState::Running);
    QCOMPARE(reader().run(alive).step, 1);
}

void TestResume::leavesEverythingAsItWasWhereItFails()
{
    const RunId run = interrupted(30, 47);
    const std::int64_t summaries = integerIn(log(), "SELECT count(*) FROM summaries");
    execute(
        log(), "ALTER TABLE markers ADD COLUMN fails TEXT DEFAULT 'x' CHECK (kind <> 'continued')");
    QVERIFY(messageOf([&] { writer().resumeRun(run, pointAfter(30)); }) != "nothing was thrown");
    QCOMPARE(reader().run(run).attempt, 1);
    QCOMPARE(reader().run(run).step, 47);
    QCOMPARE(reader().run(run).state, RunState::Interrupted);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM attempts"), 1);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM summaries"), summaries);
    QVERIFY(!LockFile(log(), LockFile::Purpose::Reading).isAlive(run));
    execute(log(), "ALTER TABLE markers DROP COLUMN fails");
    writer().resumeRun(run, pointAfter(30));
    QCOMPARE(reader().run(run).attempt, 2);
    QCOMPARE(reader().run(run).step, 30);
}

void TestResume::pruningTakesTheAttemptsAlong()
{
    const RunId run = interrupted(10, 12);
    writer().resumeRun(run, pointAfter(10));
    writer().sink(run).emitEvent(endAt(10, RunOutcome::Stopped));
    QVERIFY(writer().flush());
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM attempts"), 2);
    writer().setArchived(run, true);
    QCOMPARE(writer().prune({ run }).runs.size(), std::size_t { 1 });
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM attempts"), 0);
}

void TestResume::bothSidesNameOneCheckpointFolder()
{
    const RunId run = interrupted(10, 12);
    const fs::path read = reader().checkpointFolder(run);
    writer().resumeRun(run, pointAfter(10));
    QCOMPARE(writer().checkpointFolder(run), read);
}

QTEST_GUILESS_MAIN(TestResume)
#include "tst_run_log_resume.moc"
