// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_log_reader.h"

#include "run_log_fixture.h"

#include "engine/events/memory.h"
#include "engine/logfile/lock_file.h"

#include <atomic>
#include <thread>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;

class TestRunLogReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void givesBackWhatWasAsked();
    void listsRunsNewestFirst();
    void resolvesIdsAndNames();
    void refusesAnAmbiguousName();
    void refusesAnUnknownRun();
    void refusesAnUnknownMetric();
    void givesEverySeriesOverEveryAxis();
    void aRunWithoutASplitHasNoValidation();
    void validationDecidesWhichEvaluationIsBest();
    void followsALiveRun();
    void tellsWhetherAnythingChanged();
    void tellsTheStateOfARun();
    void neverTakesTheEndOfARunForADeath();
    void knowsRunsOfOtherMachines();
    void readsMessagesWithCodeAndArguments();
    void showsAMessageWithoutUsableArgumentsAsItsText();
    void tellsWhatHappened();
    void thinsASeries();
    void viewsALogOfFormat1AsItIs();
    void canBeMoved();
    void knowsTheDataOfARun();
    void aDamagedNumberOfAttemptsTakesNoMemory();
    void aNegativePeakIsRead();

private:
    RunId begin(const std::string& name)
    {
        return m_writer->beginRun(requireResolved(experimentNamed(name)));
    }
    void emitEvent(RunId run, Event event)
    {
        m_writer->sink(run).emitEvent(std::move(event));
        QVERIFY(m_writer->flush());
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_log;
    std::unique_ptr<RunLogWriter> m_writer;
    std::unique_ptr<RunLogReader> m_reader;
};

void TestRunLogReader::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_log = m_folder->filePath("runs.db").toStdString();
    m_writer = std::make_unique<RunLogWriter>(m_log);
    m_reader = std::make_unique<RunLogReader>(m_log);
}

void TestRunLogReader::cleanup()
{
    m_reader.reset();
    m_writer.reset();
    m_folder.reset();
}

void TestRunLogReader::givesBackWhatWasAsked()
{
    Experiment experiment = experimentNamed("asked");
    experiment.model.name = ModelName::Mlp;
    experiment.batch.effective = BatchNumber::given(100);
    experiment.batch.micro = BatchNumber::given(25);
    experiment.optimizer.lr = 0.1 + 0.2;
    const RunId run = m_writer->beginRun(requireResolved(experiment));
    RunStarted started = startOf(experiment);
    started.plan.effective = 100;
    started.plan.micro = 25;
    started.plan.solved = BatchPlan::Solved::Steps;
    emitEvent(run, started);
    const RunRecord record = m_reader->run(run);
    QVERIFY(record.experiment == experiment);
    QVERIFY(record.plan == started.plan);
    QCOMPARE(record.epochPlan.windows, 10);
    QCOMPARE(record.totalSteps, 100);
    QCOMPARE(record.deviceName, std::string("Test CPU"));
    QCOMPARE(record.threads, 2);
    QCOMPARE(record.dataDescription.english(), std::string("made-up data, 1\u202f280"));
    QCOMPARE(record.dataDescription.code(), std::string("tst.data"));
    QVERIFY(record.dataDescription.arguments() == started.dataDescription.arguments());
    QCOMPARE(textIn(m_log, "SELECT data_description FROM runs"), record.dataDescription.english());
    QCOMPARE(textIn(m_log, "SELECT data_description_code FROM runs"), std::string("tst.data"));
    QVERIFY(!record.programVersion.empty());
    QVERIFY(!record.codeRevision.empty());
    QVERIFY(!record.host.empty());
    QVERIFY(record.createdMs > 1'600'000'000'000);
    QVERIFY(!record.lastLoss);
    QCOMPARE(record.endedMs, 0);
}

void TestRunLogReader::listsRunsNewestFirst()
{
    begin("one");
    begin("two");
    const std::vector<RunRecord> runs = m_reader->runs();
    QCOMPARE(runs.size(), std::size_t { 2 });
    QCOMPARE(runs[0].name, std::string("two"));
    QCOMPARE(runs[1].name, std::string("one"));
}

void TestRunLogReader::resolvesIdsAndNames()
{
    begin("first");
    begin("1");
    begin("99");
    QCOMPARE(m_reader->resolve("1"), RunId { 1 });
    QCOMPARE(m_reader->resolve("#2"), RunId { 2 });
    QCOMPARE(m_reader->resolve("first"), RunId { 1 });
    QCOMPARE(m_reader->resolve("99"), RunId { 3 }); // a name, since no run has that id
}

void TestRunLogReader::refusesAnAmbiguousName()
{
    begin("twin");
    begin("twin");
    begin("twin");
    const std::string message = messageOf([&] { m_reader->resolve("twin"); });
    QVERIFY2(message.find("#1, #2, #3") != std::string::npos, message.c_str());
}

void TestRunLogReader::refusesAnUnknownRun()
{
    for (const char* name : { "none", "7", "#7", "", "#" }) {
        const std::string message = messageOf([&] { m_reader->resolve(name); });
        QVERIFY2(message.find("There is no run") == 0, message.c_str());
    }
    QVERIFY(messageOf([&] { m_reader->run(RunId { 7 }); }).find("no run #7") != std::string::npos);
}

void TestRunLogReader::refusesAnUnknownMetric()
{
    const RunId run = begin("x");
    const std::string message =
        messageOf([&] { m_reader->series(run, "loss; DROP TABLE runs", Axis::Step); });
    QVERIFY2(message.find("There is no metric") == 0, message.c_str());
    QVERIFY(message.find("gradient_norm") != std::string::npos);
}

void TestRunLogReader::givesEverySeriesOverEveryAxis()
{
    const RunId run = writeRun(*m_writer, "axes", 20, /*ended=*/false);
    emitEvent(run, epochAt(1, 10, 0.5, 0.8));
    emitEvent(run, validated(evaluationAt(10, 0.4, 0.9), 0.5, 0.8));
    for (const MetricInfo& metric : metrics())
        if (!isCarriedByName(metric)) // tst_metric_values
            QCOMPARE(m_reader->series(run, metric.name, Axis::Step).size(),
                std::size_t { metric.section == MetricSection::Step ? 20u : 1u });
    QCOMPARE(m_reader->series(run, "loss", Axis::Step)[4].x, 5.0);
    QCOMPARE(m_reader->series(run, "loss", Axis::Samples)[4].x, 640.0);
    QCOMPARE(m_reader->series(run, "loss", Axis::MicroBatches)[4].x, 20.0);
    QCOMPARE(m_reader->series(run, "loss", Axis::Epoch)[4].x, 0.5); // of 1280 samples
    QCOMPARE(m_reader->series(run, "loss", Axis::Seconds)[4].x, 0.05);
    QCOMPARE(m_reader->series(run, "throughput", Axis::Step)[4].y, 12800.0);
    QCOMPARE(m_reader->series(run, "test_accuracy", Axis::Epoch)[0].x, 1.0);
    QCOMPARE(m_reader->series(run, "test_accuracy", Axis::Epoch)[0].y, 0.9);
}

void TestRunLogReader::aRunWithoutASplitHasNoValidation()
{
    const RunId run = writeRun(*m_writer, "whole", 10, /*ended=*/false);
    emitEvent(run, evaluationAt(10, 0.4, 0.9));
    QVERIFY(m_reader->series(run, "validation_loss", Axis::Step).empty());
    QVERIFY(m_reader->rows(run, "validation_accuracy").empty());
    for (const MetricSummary& summary : m_reader->summaries(run))
        QVERIFY2(summary.metric.find("validation") == std::string::npos, summary.metric.c_str());
    const RunRecord record = m_reader->run(run);
    QVERIFY(!record.finalValidationLoss && !record.finalValidationAccuracy);
    QVERIFY(!record.bestValidationAccuracy);
}

void TestRunLogReader::validationDecidesWhichEvaluationIsBest()
{
    const RunId run = begin("split");
    QVERIFY(!bestOf(m_reader->run(run)));
    emitEvent(run, validated(evaluationAt(10, 0.4, 0.95), 0.5, 0.7));
    emitEvent(run, validated(evaluationAt(20, 0.3, 0.9), 0.45, 0.8));
    emitEvent(run, validated(evaluationAt(30, 0.35, 0.92), 0.6, 0.75));
    const RunRecord record = m_reader->run(run);
    const BestEvaluation best = bestOf(record).value();
    QCOMPARE(best.metric, std::string("validation_accuracy"));
    QCOMPARE(best.value, 0.8);
    QCOMPARE(best.step, 20);
    QCOMPARE(bestAccuracyOf(record).value(), 0.8);
    QCOMPARE(record.bestTestAccuracy.value(), 0.95);
    QCOMPARE(record.finalValidationLoss.value(), 0.6);
    QCOMPARE(record.finalValidationAccuracy.value(), 0.75);
    QCOMPARE(textIn(m_log, "SELECT best_metric || ' ' || best_step FROM runs"),
        std::string("validation_accuracy 20"));
    QCOMPARE(m_reader->series(run, "validation_loss", Axis::Step)[1], (SeriesPoint { 20, 0.45 }));
}

void TestRunLogReader::followsALiveRun()
{
    const RunId run = writeRun(*m_writer, "live", 5, /*ended=*/false);
    QCOMPARE(m_reader->seriesAfter(run, "loss", Axis::Step, 0).size(), std::size_t { 5 });
    QVERIFY(m_reader->seriesAfter(run, "loss", Axis::Step, 5).empty());
    emitEvent(run, stepAt(6));
    const std::vector<SeriesPoint> news = m_reader->seriesAfter(run, "loss", Axis::Step, 5);
    QCOMPARE(news.size(), std::size_t { 1 });
    QCOMPARE(news[0].x, 6.0);
    QCOMPARE(m_reader->seriesAfter(run, "throughput", Axis::Step, 5)[0].y, 12800.0);
}

void TestRunLogReader::tellsWhetherAnythingChanged()
{
    QVERIFY(m_reader->changed()); // the first time
    QVERIFY(!m_reader->changed());
    const RunId run = begin("x");
    QVERIFY(m_reader->changed());
    QVERIFY(!m_reader->changed());
    emitEvent(run, stepAt(1));
    QVERIFY(m_reader->changed());
    m_reader->runs();
    QVERIFY(!m_reader->changed());
    m_writer.reset(); // the run is given up: its lock is freed
    QVERIFY(m_reader->changed());
    QCOMPARE(m_reader->run(run).state, RunState::Interrupted);
}

void TestRunLogReader::tellsTheStateOfARun()
{
    const RunId run = begin("x");
    QCOMPARE(m_reader->run(run).state, RunState::Running);
    emitEvent(run, RunPaused { 1, 0.1 });
    QCOMPARE(m_reader->run(run).state, RunState::Paused);
    emitEvent(run, RunResumed { 1, 0.1 });
    QCOMPARE(m_reader->run(run).state, RunState::Running);
    RunEnded ended = endAt(3, RunOutcome::Diverged);
    ended.message = Message::plain("The loss of step 3 is not finite.");
    ended.checkpoint = "/a/folder";
    emitEvent(run, ended);
    const RunRecord record = m_reader->run(run);
    QCOMPARE(record.state, RunState::Finished);
    QVERIFY(record.outcome == RunOutcome::Diverged);
    QCOMPARE(record.message, ended.message);
    QCOMPARE(record.checkpoint, ended.checkpoint);
    QVERIFY(record.endedMs >= record.createdMs);
    QVERIFY(!LockFile(m_log, LockFile::Purpose::Reading).isAlive(run));
}

void TestRunLogReader::neverTakesTheEndOfARunForADeath()
{
    for (int i = 0; i < 300; ++i) // long enough to read that a run ends meanwhile
        emitEvent(begin("earlier"), endAt(0));
    std::atomic<bool> over { false };
    std::atomic<int> wrong { 0 };
    std::thread looking([&] {
        RunLogReader reader(m_log);
        while (!over)
            for (const RunRecord& run : reader.runs())
                wrong += run.state == RunState::Interrupted ? 1 : 0;
    });
    for (int i = 0; i < 50; ++i)
        emitEvent(begin("short"), endAt(0));
    over = true;
    looking.join();
    QCOMPARE(wrong.load(), 0);
}

void TestRunLogReader::knowsRunsOfOtherMachines()
{
    const RunId run = begin("far");
    m_writer.reset();
    execute(m_log, "UPDATE runs SET boot_id = 'another boot'");
    QCOMPARE(m_reader->run(run).state, RunState::Interrupted); // this host was started again
    execute(m_log, "UPDATE runs SET host = 'another host'");
    QCOMPARE(m_reader->run(run).state, RunState::Unknown);
}

// In the order of their arguments, with those that are messages themselves.
void TestRunLogReader::readsMessagesWithCodeAndArguments()
{
    const RunId run = begin("coded");
    const Message inner("tests.inner", "the card has {room}", { { "room", ByteCount { 4096 } } });
    const Message outer("tests.outer", "Step {step} failed: {why}.",
        { { "step", std::int64_t { 1200 } }, { "why", inner } });
    emitEvent(run, RunMessage { RunMessage::Severity::Warning, 3, 0.03, outer });
    emitEvent(run, OutOfMemory { 4, 1, 0.04, 32, 16, "forward", inner });
    RunEnded ended = endAt(5, RunOutcome::Failed);
    ended.message = outer;
    emitEvent(run, ended);
    const std::vector<RunMarker> markers = m_reader->markers(run);
    QCOMPARE(markers.size(), std::size_t { 3 });
    QCOMPARE(markers[0].text, outer);
    QVERIFY(markers[0].text.arguments() == outer.arguments());
    QCOMPARE(markers[1].text, inner);
    QCOMPARE(markers[2].text, outer);
    const Message why = m_reader->run(run).message;
    QCOMPARE(why, outer);
    QVERIFY(why.arguments() == outer.arguments());
    QCOMPARE(textIn(m_log, "SELECT message FROM runs"), outer.english());
    QCOMPARE(textIn(m_log, "SELECT text FROM markers LIMIT 1"), outer.english());
}

void TestRunLogReader::showsAMessageWithoutUsableArgumentsAsItsText()
{
    const RunId run = begin("odd");
    emitEvent(run,
        RunMessage { RunMessage::Severity::Warning, 3, 0.03,
            Message("tests.odd", "Odd {n}.", { { "n", 3 } }) });
    m_writer.reset();
    execute(m_log, "UPDATE markers SET arguments = '[1'");
    const Message read = m_reader->markers(run).front().text;
    QCOMPARE(read.text(), std::string("Odd 3."));
    QVERIFY(read.code().empty());
}

void TestRunLogReader::tellsWhatHappened()
{
    const RunId run = writeRun(*m_writer, "told", 3, /*ended=*/false);
    emitEvent(run, LearningRateChanged { 4, 0.03, 0.5, 0.02 });
    emitEvent(run,
        RunMessage { RunMessage::Severity::Warning, 3, 0.03, Message::plain("Mind the gap.") });
    const RunId other = begin("other");
    emitEvent(other, endAt(0, RunOutcome::Stopped));
    const std::vector<RunMarker> markers = m_reader->markers(run);
    QCOMPARE(markers.size(), std::size_t { 2 });
    QCOMPARE(markers[0].kind, RunMarker::Kind::LearningRate);
    QCOMPARE(markers[0].step, 4);
    QCOMPARE(markers[0].samples, 384);
    QVERIFY(markers[0].text.english().find("0.02") != std::string::npos);
    QCOMPARE(markers[1].severity, RunMessage::Severity::Warning);
    QCOMPARE(markers[1].text.english(), std::string("Mind the gap."));
    QVERIFY(markers[1].timeMs > 1'600'000'000'000);
    const std::vector<RunMarker> latest = m_reader->latestMarkers(2);
    QCOMPARE(latest.size(), std::size_t { 2 });
    QCOMPARE(latest[0].run, other);
    QCOMPARE(latest[0].kind, RunMarker::Kind::Ended);
    QCOMPARE(latest[1].text.english(), std::string("Mind the gap."));
    QVERIFY(latest[0].sequence > latest[1].sequence);
}

void TestRunLogReader::thinsASeries()
{
    const RunId run = writeRun(*m_writer, "long", 5000);
    const std::vector<SeriesPoint> thinned = m_reader->thinned(run, "loss", Axis::Step, 100);
    QVERIFY(thinned.size() <= 202);
    QCOMPARE(thinned.front().x, 1.0);
    QCOMPARE(thinned.back().x, 5000.0);
}

// It may lie where it can never be written, and no viewer writes.
void TestRunLogReader::viewsALogOfFormat1AsItIs()
{
    const std::filesystem::path older = m_folder->filePath("older.db").toStdString();
    makeLogOfFormat1(older);
    RunLogReader reader(older);
    QCOMPARE(reader.runs().size(), std::size_t { 2 });
    QCOMPARE(reader.run(RunId { 1 }).state, RunState::Finished);
    QCOMPARE(reader.series(RunId { 1 }, "loss", Axis::Step).size(), std::size_t { 20 });
    QCOMPARE(reader.rows(RunId { 1 }, "test_accuracy").size(), std::size_t { 2 });
    QVERIFY(reader.rows(RunId { 1 }, "validation_accuracy").empty());
    QVERIFY(reader.series(RunId { 1 }, "validation_loss", Axis::Epoch).empty());
    QVERIFY(!reader.run(RunId { 1 }).finalValidationLoss);
    QCOMPARE(bestOf(reader.run(RunId { 1 }))->metric, std::string("test_accuracy"));
    QCOMPARE(reader.thinned(RunId { 2 }, "loss", Axis::Seconds, 3).size(), std::size_t { 8 });
    QCOMPARE(reader.markers(RunId { 1 }).size(), std::size_t { 6 });
    QVERIFY(!reader.markers(RunId { 1 }).front().superseded);
    QCOMPARE(reader.latestMarkers(2).size(), std::size_t { 2 });
    QVERIFY(reader.attempts(RunId { 1 }).empty());
    QVERIFY(reader.prunable().runs.empty());
    const Message data = reader.run(RunId { 1 }).dataDescription; // before it had a code
    QVERIFY(data.code().empty());
    QVERIFY(!data.english().empty());
    QCOMPARE(data.english(), textIn(older, "SELECT data_description FROM runs WHERE id = 1"));
    QCOMPARE(integerIn(older, "PRAGMA user_version"), 1);
}

void TestRunLogReader::canBeMoved()
{
    begin("x");
    RunLogReader moved = std::move(*m_reader);
    QCOMPARE(moved.runs().size(), std::size_t { 1 });
    *m_reader = std::move(moved);
    QCOMPARE(m_reader->file(), m_log);
}

void TestRunLogReader::knowsTheDataOfARun()
{
    RunStarted started = startOf(experimentNamed("known"));
    started.data.classes = { "cat", "dog" };
    started.data.channels = 3;
    started.data.height = 32;
    started.data.width = 48;
    started.data.mean = { 0.1 + 0.2, 0.5, 0.5 };
    started.data.stddev = { 0.25, 1.0 / 3, 0.5 };
    started.data.trainDigest = "ab12";
    const RunId run = begin("known");
    emitEvent(run, started);
    QVERIFY(m_reader->run(run).data == started.data);
    emitEvent(run, startOf(experimentNamed("known"))); // resumed by a program that does not know
    QVERIFY(m_reader->run(run).data == started.data);
    QVERIFY(!m_reader->run(begin("unknown")).data.isKnown());
}

void TestRunLogReader::aDamagedNumberOfAttemptsTakesNoMemory()
{
    const std::filesystem::path old = m_folder->filePath("old.db").toStdString();
    makeLogOfFormat5(old);
    execute(old, "UPDATE runs SET attempt = 1000000000000 WHERE id = 4");
    RunLogReader reader(old);
    QCOMPARE(reader.series(RunId { 4 }, "loss", Axis::Step).size(), std::size_t { 20 });
}

void TestRunLogReader::aNegativePeakIsRead()
{
    const std::filesystem::path old = m_folder->filePath("old.db").toStdString();
    makeLogOfFormat5(old);
    execute(old, "UPDATE memory SET peak_bytes = -1");
    RunLogReader reader(old);
    const MemoryMeasured read = reader.memoryAt(RunId { 4 }, reader.highestStep(RunId { 4 }));
    QVERIFY(highestPeak(read) != nullptr);
}

QTEST_GUILESS_MAIN(TestRunLogReader)
#include "tst_run_log_reader.moc"
