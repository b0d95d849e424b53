// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/memory_rows.h"

#include "run_log_fixture.h"

#include "engine/events/event_json.h"
#include "engine/events/memory.h"
#include "engine/runlog/run_log_reader.h"
#include "tests/support/fake_memory.h"

#include <limits>
#include <map>
#include <numeric>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kAnyStep = std::numeric_limits<std::int64_t>::max();

std::vector<std::int64_t> slices(std::int64_t micro)
{
    return std::vector<std::int64_t>(4, micro);
}

MemoryMeasured windowAt(std::int64_t step, std::int64_t micro = 32, bool everyMicroBatch = false)
{
    return { .step = step,
        .epoch = 1 + (step - 1) / 10,
        .seconds = static_cast<double>(step) * 0.01,
        .phases = fakeWindowMemory(slices(micro), 1000, everyMicroBatch) };
}

MemoryMeasured evaluationAfter(std::int64_t step, std::int64_t samples = 256)
{
    return { .step = step,
        .epoch = step / 10,
        .seconds = static_cast<double>(step) * 0.01,
        .phases = { fakeEvaluationMemory(samples, 1000) } };
}

// Their JSON, which contains everything.
QString text(const MemoryMeasured& measured)
{
    return QString::fromStdString(toJsonLines(measured));
}

} // namespace

class TestMemoryRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void aWindowIsReadBackWithItsOwners();
    void aMeasuredPhaseAddsUpInTheFile();
    void whatIsAsItWasIsNotRepeated();
    void whatDiffersIsKept_data();
    void whatDiffersIsKept();
    void cachedBytesMayMoveALittle();
    void aWindowIsFollowedByTheLastEvaluation();
    void aLongRunOfEqualEpochsStaysSmall();
    void theHighestPeakIsFound();
    void anEvaluationIsNoHighestWindow();
    void theHighestEvaluationOfEachRunIsFound();
    void whatALaterAttemptDidAgainIsLeftOut();
    void theFirstWindowOfAnAttemptIsKept();
    void aWindowThatDidNotFitIsAMarker();
    void deletingARunTakesItsMemoryAlong();
    void aLogOfFormat1HasNone();
    void runsWithoutMeteringHaveNone();

private:
    fs::path log() const { return fs::path(m_folder->path().toStdString()) / "runs.db"; }
    std::vector<std::int64_t> keptSteps(std::initializer_list<MemoryMeasured> told);
    void tell(const Event& event) { m_writer->sink(m_run).emitEvent(event); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogWriter> m_writer;
    std::unique_ptr<RunLogReader> m_reader;
    RunId m_run {};
};

void TestMemoryRows::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_writer = std::make_unique<RunLogWriter>(log());
    m_run = m_writer->beginRun(requireResolved(experimentNamed("metered")));
    m_reader = std::make_unique<RunLogReader>(log());
}

void TestMemoryRows::cleanup()
{
    m_reader.reset();
    m_writer.reset();
    m_folder.reset();
}

std::vector<std::int64_t> TestMemoryRows::keptSteps(std::initializer_list<MemoryMeasured> told)
{
    for (const MemoryMeasured& measured : told)
        tell(measured);
    m_writer->flush();
    return m_reader->meteredSteps(m_run);
}

void TestMemoryRows::aWindowIsReadBackWithItsOwners()
{
    MemoryMeasured window = windowAt(3, 32, /*everyMicroBatch=*/true);
    std::int64_t number = 0;
    for (PhaseMemory& phase : window.phases) { // no two alike, so that none is taken for another
        phase.cachedBytes = ++number;
        phase.otherBytes = 100 + number;
    }
    QCOMPARE(keptSteps({ window }), std::vector<std::int64_t>({ 3 }));
    QCOMPARE(text(m_reader->memoryAt(m_run, 3)), text(window));
    QCOMPARE(text(m_reader->memoryAt(m_run, kAnyStep)), text(window));
    QVERIFY(m_reader->memoryAt(m_run, 2).phases.empty());
    for (PhaseMemory& phase : window.phases) {
        phase.owners.clear();
        phase.kept.clear();
    }
    QCOMPARE(text(m_reader->memory(m_run).front()), text(window));
}

void TestMemoryRows::aMeasuredPhaseAddsUpInTheFile()
{
    keptSteps({ windowAt(1), evaluationAfter(1) });
    for (const std::string part : { "peak", "end" }) {
        std::string sum;
        for (std::size_t i = 0; i < kMemoryCategories; ++i)
            sum += (i == 0 ? "" : " + ") + part + "_"
                + std::string(nameOf(static_cast<MemoryCategory>(i)));
        QCOMPARE(
            integerIn(log(), "SELECT count(*) FROM memory WHERE " + sum + " = " + part + "_bytes"),
            5);
    }
}

void TestMemoryRows::whatIsAsItWasIsNotRepeated()
{
    const auto kept = keptSteps(
        { windowAt(1), windowAt(2), windowAt(3), windowAt(4, 20), windowAt(5), windowAt(6) });
    QCOMPARE(kept, std::vector<std::int64_t>({ 1, 4, 5 }));
    QCOMPARE(m_reader->memoryAt(m_run, 3).step, 1);
    QCOMPARE(m_reader->memoryAt(m_run, 4).step, 4);
    QCOMPARE(m_reader->memoryAt(m_run, kAnyStep).step, 5);
}

void TestMemoryRows::whatDiffersIsKept_data()
{
    QTest::addColumn<int>("what");
    QTest::newRow("a byte of the begin") << 0;
    QTest::newRow("a byte of the end") << 1;
    QTest::newRow("a byte of the peak") << 2;
    QTest::newRow("what the peak was for") << 3;
    QTest::newRow("what the end was for") << 4;
    QTest::newRow("samples") << 5;
    QTest::newRow("the micro-batch") << 6;
    QTest::newRow("an owner's bytes") << 7;
    QTest::newRow("an owner's name") << 8;
    QTest::newRow("an owner fewer") << 9;
    QTest::newRow("a phase fewer") << 10;
    QTest::newRow("much more cached") << 11;
    QTest::newRow("much more of others") << 12;
    QTest::newRow("a layer that keeps more") << 13;
}

void TestMemoryRows::whatDiffersIsKept()
{
    QFETCH(const int, what);
    MemoryMeasured other = windowAt(2);
    PhaseMemory& phase = other.phases.at(1);
    const std::vector<std::function<void()>> changes { [&] { ++phase.beginBytes; },
        [&] { ++phase.endBytes; }, [&] { ++phase.peakBytes; },
        [&] { std::swap(phase.atPeak[0], phase.atPeak[1]); },
        [&] { std::swap(phase.atEnd[0], phase.atEnd[1]); }, [&] { --phase.samples; },
        [&] { ++phase.microBatch; }, [&] { ++phase.owners[0].bytes; },
        [&] { phase.owners[0].layer = "another"; }, [&] { phase.owners.pop_back(); },
        [&] { other.phases.pop_back(); }, [&] { phase.cachedBytes = phase.peakBytes; },
        [&] { phase.otherBytes = phase.peakBytes; }, [&] { ++phase.kept[0].bytes; } };
    changes.at(static_cast<std::size_t>(what))();
    QCOMPARE(keptSteps({ windowAt(1), other }), std::vector<std::int64_t>({ 1, 2 }));
    QCOMPARE(text(m_reader->memoryAt(m_run, 2)), text(other));
}

void TestMemoryRows::cachedBytesMayMoveALittle()
{
    MemoryMeasured next = windowAt(2);
    for (PhaseMemory& phase : next.phases) {
        phase.cachedBytes = phase.peakBytes / 101;
        phase.otherBytes = phase.peakBytes / 101;
    }
    QCOMPARE(keptSteps({ windowAt(1), next }), std::vector<std::int64_t>({ 1 }));
}

void TestMemoryRows::aWindowIsFollowedByTheLastEvaluation()
{
    const auto kept = keptSteps({ windowAt(1), windowAt(10), evaluationAfter(10), windowAt(11),
        evaluationAfter(20), windowAt(21, 16), windowAt(31), evaluationAfter(40, 100) });
    QCOMPARE(kept, std::vector<std::int64_t>({ 1, 21, 31 }));
    QCOMPARE(m_reader->memoryAt(m_run, 9).phases.size(), std::size_t { 5 });
    const MemoryMeasured later = m_reader->memoryAt(m_run, 29);
    QCOMPARE(later.step, 21);
    QCOMPARE(later.phases.size(), std::size_t { 5 });
    QCOMPARE(later.phases.back().phase, MemoryPhase::Evaluation);
    QCOMPARE(later.phases.back().samples, 256);
    QVERIFY(!later.phases.back().owners.empty());
    QCOMPARE(m_reader->memoryAt(m_run, 31).phases.back().samples, 100);
    const std::vector<MemoryMeasured> all = m_reader->memory(m_run);
    QCOMPARE(all.size(), std::size_t { 5 });
    QCOMPARE(all[1].step, 10);
    QCOMPARE(all[1].phases.front().phase, MemoryPhase::Evaluation);
}

// 100,000 windows in epochs of 469, the last of each smaller.
void TestMemoryRows::aLongRunOfEqualEpochsStaysSmall()
{
    constexpr std::int64_t kSteps = 100'000;
    MemoryMeasured whole = windowAt(1);
    MemoryMeasured tail = windowAt(1, 24);
    for (std::int64_t step = 1; step <= kSteps; ++step) {
        MemoryMeasured& window = step % 469 == 0 ? tail : whole;
        window.step = step;
        tell(window);
    }
    QVERIFY(m_writer->flush());
    const std::int64_t kept = 1 + 2 * (kSteps / 469);
    QCOMPARE(m_reader->meteredSteps(m_run).size(), static_cast<std::size_t>(kept));
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM memory"), 4 * kept);
    for (const std::int64_t step : { 1, 468, 469, 470, 50'000, 93'800, 99'999 })
        QCOMPARE(m_reader->memoryAt(m_run, step).phases.front().samples, step % 469 == 0 ? 24 : 32);
    m_writer->close();
    QVERIFY(fs::file_size(log()) < 4 << 20);
}

void TestMemoryRows::theHighestPeakIsFound()
{
    keptSteps({ windowAt(1), windowAt(2, 64), windowAt(3), evaluationAfter(3, 8) });
    QCOMPARE(m_reader->highestStep(m_run), 2);
    const MemoryMeasured measured = m_reader->memoryAt(m_run, 2);
    const PhaseMemory* const peak = highestPeak(measured);
    QCOMPARE(peak->phase, MemoryPhase::Backward);
    QCOMPARE(peak->peakBytes, integerIn(log(), "SELECT max(peak_bytes) FROM memory"));
    QVERIFY(!peak->owners.empty());
    QCOMPARE(m_reader->highestWindow(m_run), 2);
}

void TestMemoryRows::anEvaluationIsNoHighestWindow()
{
    QCOMPARE(m_reader->highestWindow(m_run), 0);
    QCOMPARE(m_reader->run(m_run).evaluationPeakBytes, 0);
    keptSteps({ windowAt(1), windowAt(2, 64), windowAt(3), evaluationAfter(3, 1000) });
    QCOMPARE(m_reader->highestStep(m_run), 3);
    QCOMPARE(m_reader->highestWindow(m_run), 2);
    QCOMPARE(m_reader->run(m_run).evaluationPeakBytes,
        integerIn(log(), "SELECT max(peak_bytes) FROM memory WHERE phase = 'evaluation'"));
}

void TestMemoryRows::theHighestEvaluationOfEachRunIsFound()
{
    const auto peakOf = [](const MemoryMeasured& measured) {
        return measured.phases.front().peakBytes;
    };
    const RunId other = m_writer->beginRun(requireResolved(Experiment {}));
    const RunId unmetered = m_writer->beginRun(requireResolved(Experiment {}));
    m_writer->sink(other).emitEvent(evaluationAfter(2, 100));
    keptSteps({ windowAt(1), evaluationAfter(3, 900), evaluationAfter(5, 1000) });
    m_writer.reset(); // cut off
    m_writer = std::make_unique<RunLogWriter>(log());
    m_writer->resumeRun(m_run, pointAfter(4));
    keptSteps({ evaluationAfter(5, 300) });
    std::map<RunId, std::int64_t> peaks;
    for (const RunRecord& run : m_reader->runs())
        peaks[run.id] = run.evaluationPeakBytes;
    const std::map<RunId, std::int64_t> wanted { { m_run, peakOf(evaluationAfter(3, 900)) },
        { other, peakOf(evaluationAfter(2, 100)) }, { unmetered, 0 } };
    QCOMPARE(peaks, wanted);
    for (const auto& [run, peak] : wanted)
        QCOMPARE(m_reader->run(run).evaluationPeakBytes, peak);
}

void TestMemoryRows::whatALaterAttemptDidAgainIsLeftOut()
{
    keptSteps({ windowAt(1), windowAt(5, 20), evaluationAfter(5, 8), windowAt(6, 64) });
    m_writer.reset(); // cut off
    m_writer = std::make_unique<RunLogWriter>(log());
    m_writer->resumeRun(m_run, pointAfter(5));
    const auto kept = keptSteps({ windowAt(6, 16), windowAt(7, 16) });
    QCOMPARE(kept, std::vector<std::int64_t>({ 1, 5, 6 }));
    QCOMPARE(m_reader->memoryAt(m_run, 7).phases.front().samples, 16);
    QCOMPARE(m_reader->memoryAt(m_run, 7).phases.back().phase, MemoryPhase::Evaluation);
    QCOMPARE(m_reader->highestStep(m_run), 1);
    QCOMPARE(m_reader->highestWindow(m_run), 1);
    QCOMPARE(m_reader->memory(m_run).size(), std::size_t { 4 });
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM memory WHERE step = 6"), 8);
}

void TestMemoryRows::theFirstWindowOfAnAttemptIsKept()
{
    keptSteps({ windowAt(1) });
    m_writer.reset();
    m_writer = std::make_unique<RunLogWriter>(log());
    m_writer->resumeRun(m_run, pointAfter(3));
    QCOMPARE(keptSteps({ windowAt(4), windowAt(5) }), std::vector<std::int64_t>({ 1, 4 }));
}

void TestMemoryRows::aWindowThatDidNotFitIsAMarker()
{
    tell(stepAt(1));
    tell(OutOfMemory { 2, 1, 0.5, 33, 17, "backward", Message::plain("It goes on with b 17.") });
    QVERIFY(m_writer->flush());
    const RunMarker marker = m_reader->markers(m_run).front();
    QCOMPARE(marker.kind, RunMarker::Kind::OutOfMemory);
    QCOMPARE(marker.severity, RunMessage::Severity::Warning);
    QCOMPARE(marker.step, 2);
    QCOMPARE(marker.samples, 128);
    QCOMPARE(marker.seconds, 0.5);
    QCOMPARE(marker.text.english(), std::string("It goes on with b 17."));
    QCOMPARE(textIn(log(), "SELECT kind || value FROM markers"), std::string("out_of_memory17.0"));
    const RunRecord cut = m_reader->run(m_run);
    QCOMPARE(cut.cutMicro, 17);
    QCOMPARE(planInForce(cut).micro, 17);
    QVERIFY(planInForce(cut.plan, 17) == planInForce(cut));
    QVERIFY(
        planInForce(cut.plan, 0) == cut.plan && planInForce(cut.plan, cut.plan.micro) == cut.plan);
    QCOMPARE(planInForce(cut).effective, cut.plan.effective);
    QCOMPARE(planInForce(cut).steps, (cut.plan.effective + 16) / 17);
    m_writer.reset(); // each attempt emits its own
    m_writer = std::make_unique<RunLogWriter>(log());
    m_writer->resumeRun(m_run, pointAfter(1));
    QVERIFY(m_writer->flush());
    QCOMPARE(m_reader->run(m_run).cutMicro, 0);
    QCOMPARE(planInForce(m_reader->run(m_run)), cut.plan);
}

void TestMemoryRows::deletingARunTakesItsMemoryAlong()
{
    keptSteps({ windowAt(1) });
    tell(endAt(1));
    QVERIFY(m_writer->flush());
    m_writer->setArchived(m_run, true);
    QCOMPARE(m_writer->prune({ m_run }).runs, std::vector<RunId>({ m_run }));
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM memory"), 0);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM memory_owners"), 0);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM memory_kept"), 0);
}

void TestMemoryRows::aLogOfFormat1HasNone()
{
    const fs::path old = fs::path(m_folder->path().toStdString()) / "old.db";
    makeLogOfFormat1(old);
    RunLogReader reader(old);
    QVERIFY(reader.meteredSteps(RunId { 1 }).empty());
    QVERIFY(reader.memory(RunId { 1 }).empty());
    QVERIFY(reader.memoryAt(RunId { 1 }, kAnyStep).phases.empty());
    QCOMPARE(reader.highestStep(RunId { 1 }), 0);
}

void TestMemoryRows::runsWithoutMeteringHaveNone()
{
    QVERIFY(keptSteps({}).empty());
    QVERIFY(m_reader->memory(m_run).empty());
    QVERIFY(m_reader->memoryAt(m_run, kAnyStep).phases.empty());
    QCOMPARE(m_reader->highestStep(m_run), 0);
}

QTEST_GUILESS_MAIN(TestMemoryRows)
#include "tst_memory_rows.moc"
