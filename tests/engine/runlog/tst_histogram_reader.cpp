// SPDX-License-Identifier: Apache-2.0
// Histograms of parameters and gradients: written, read, resumed, checked and deleted as any other
// row.
#include "engine/runlog/histogram_reader.h"

#include "run_log_fixture.h"

#include "engine/logfile/schema.h"
#include "engine/runlog/log_check.h"
#include "engine/runlog/run_log_reader.h"

#include <cmath>
#include <limits>

#include <QTemporaryDir>
#include <QTest>

#include <SQLiteCpp/Database.h>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

ParameterHistogram histogramOf(const std::string& parameter, HistogramOf of, std::int64_t first)
{
    return { .parameter = parameter,
        .of = of,
        .least = -0.5,
        .largest = 1.5,
        .mean = 0.25,
        .deviation = 0.125,
        .notFinite = 2,
        .counts = { first, 0, 7 } };
}

// The first count of each histogram is `mark`.
HistogramsMeasured measuredAt(std::int64_t step, std::int64_t mark)
{
    const ResumePoint place = pointAfter(step);
    return { .step = step,
        .epoch = place.epoch,
        .samples = place.samples,
        .microBatches = place.microBatches,
        .seconds = place.seconds,
        .histograms = { histogramOf("conv1.weight", HistogramOf::Value, mark),
            histogramOf("conv1.weight", HistogramOf::Gradient, mark),
            histogramOf("bias", HistogramOf::Value, mark),
            histogramOf("bias", HistogramOf::Gradient, mark) } };
}

void makeLogOfFormat9(const fs::path& file)
{
    const std::vector<Migration> list(migrations().begin(), migrations().begin() + 9);
    makeLogOfFormat5(file);
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
    migrate(database, list);
}

} // namespace

class TestHistogramReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_folder.reset(); }

    void readsWhatWasWritten();
    void numbersThatAreNotFiniteStay();
    void namesAreInTheOrderOfTheNetwork();
    void manyAreThinnedEvenly();
    void whatALaterAttemptDidAgainIsSuperseded();
    void anEventThatIsEmittedTwiceIsOnce();
    void damageIsFound();
    void countsThatAreNoneAreNoBins();
    void numbersThatNoHistogramHasAreNoBins();
    void goWithTheirRun();
    void aLogOfFormat9IsBroughtUpToDate();
    void aLogOfFormat9HasNone();

private:
    fs::path log() const { return m_folder->filePath("runs.db").toStdString(); }
    std::vector<HistogramAtStep> histograms(
        RunId run, const std::string& parameter = "bias", std::size_t most = 300) const
    {
        return HistogramReader(log()).histograms(run, parameter, HistogramOf::Value, most);
    }
    std::vector<std::int64_t> marks(RunId run) const
    {
        std::vector<std::int64_t> all;
        for (const HistogramAtStep& each : histograms(run))
            all.push_back(each.histogram.counts.at(0));
        return all;
    }
    // With histograms after every step, marked by their step.
    RunId write(RunLogWriter& writer, std::int64_t steps) const
    {
        const RunId run = writeRun(writer, "measured", 0, /*ended=*/false);
        for (std::int64_t step = 1; step <= steps; ++step) {
            writer.sink(run).emitEvent(stepAt(step));
            writer.sink(run).emitEvent(measuredAt(step, step));
        }
        writer.flush();
        return run;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestHistogramReader::readsWhatWasWritten()
{
    RunLogWriter writer(log());
    const RunId run = write(writer, 3);
    const auto found =
        HistogramReader(log()).histograms(run, "conv1.weight", HistogramOf::Gradient);
    QCOMPARE(found.size(), std::size_t { 3 });
    QCOMPARE(found[1].step, std::int64_t { 2 });
    QCOMPARE(found[1].seconds, pointAfter(2).seconds);
    QVERIFY(found[1].histogram == histogramOf("conv1.weight", HistogramOf::Gradient, 2));
    QCOMPARE(countOf(found[1].histogram), std::int64_t { 2 + 0 + 7 + 2 });
    QVERIFY(histograms(run, "no such parameter").empty());
    QCOMPARE(describe(checkLog(log()).damage).english(), std::string());
}

void TestHistogramReader::numbersThatAreNotFiniteStay()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "nothing finite", 1, /*ended=*/false);
    HistogramsMeasured measured = measuredAt(1, 1);
    measured.histograms.resize(1);
    measured.histograms[0] = { .parameter = "bias",
        .least = kNone,
        .largest = kNone,
        .mean = kNone,
        .deviation = std::numeric_limits<double>::infinity(),
        .notFinite = 10 };
    writer.sink(run).emitEvent(measured);
    writer.flush();
    const ParameterHistogram read = histograms(run).at(0).histogram;
    QVERIFY(std::isnan(read.least) && std::isnan(read.largest) && std::isnan(read.mean));
    QVERIFY(std::isinf(read.deviation));
    QVERIFY(read.counts.empty());
    QCOMPARE(countOf(read), std::int64_t { 10 });
}

void TestHistogramReader::namesAreInTheOrderOfTheNetwork()
{
    RunLogWriter writer(log());
    const RunId bare = writeRun(writer, "bare", 2);
    QVERIFY(HistogramReader(log()).names(bare).parameters.empty());
    const RunId run = write(writer, 2);
    const HistogramNames names = HistogramReader(log()).names(run);
    QCOMPARE(names.parameters, (std::vector<std::string> { "conv1.weight", "bias" }));
    QVERIFY(names.hasGradients);
}

void TestHistogramReader::manyAreThinnedEvenly()
{
    RunLogWriter writer(log());
    const RunId run = write(writer, 101);
    std::vector<std::int64_t> steps;
    for (const HistogramAtStep& each : histograms(run, "bias", 6))
        steps.push_back(each.step);
    QCOMPARE(steps, (std::vector<std::int64_t> { 1, 21, 41, 61, 81, 101 }));
    QCOMPARE(histograms(run, "bias", 101).size(), std::size_t { 101 });
}

void TestHistogramReader::whatALaterAttemptDidAgainIsSuperseded()
{
    RunId run {};
    {
        RunLogWriter gone(log());
        run = write(gone, 4);
    }
    RunLogWriter writer(log());
    writer.resumeRun(run, pointAfter(2));
    for (const std::int64_t step : { 3, 4 }) {
        writer.sink(run).emitEvent(stepAt(step));
        writer.sink(run).emitEvent(measuredAt(step, 100 + step));
    }
    QVERIFY(writer.flush());
    QCOMPARE(marks(run), (std::vector<std::int64_t> { 1, 2, 103, 104 }));
    QCOMPARE(describe(checkLog(log()).damage).english(), std::string());
}

void TestHistogramReader::anEventThatIsEmittedTwiceIsOnce()
{
    RunLogWriter writer(log());
    const RunId run = write(writer, 1);
    writer.sink(run).emitEvent(measuredAt(1, 9));
    writer.flush();
    QCOMPARE(marks(run), (std::vector<std::int64_t> { 1 }));
    QCOMPARE(describe(checkLog(log()).damage).english(), std::string());
}

void TestHistogramReader::damageIsFound()
{
    {
        RunLogWriter writer(log());
        write(writer, 3);
    }
    execute(log(), "UPDATE histograms SET counts = '[1,2]' WHERE step = 2 AND parameter = 'bias'");
    QCOMPARE(describe(checkLog(log()).damage).english(),
        std::string("table histograms, run #1, steps 1 to 3: the rows do not match the checksum"));
}

// Any program may have written them.
void TestHistogramReader::countsThatAreNoneAreNoBins()
{
    RunLogWriter writer(log());
    const RunId run = write(writer, 1);
    for (const char* counts : { "", "[", "]", "[]", "[1,]", "[,1]", "[1 2]", "[-1]", "[1.5]", "1",
             "[1", "[99999999999999999999]", "[1]x" }) {
        execute(log(), std::string("UPDATE histograms SET counts = '") + counts + "'");
        QVERIFY2(histograms(run).at(0).histogram.counts.empty(), counts);
    }
    execute(log(), "UPDATE histograms SET counts = '[1,20,300]'");
    QCOMPARE(histograms(run).at(0).histogram.counts, (std::vector<std::int64_t> { 1, 20, 300 }));
}

// Of an edited log: sums that overflow, and places that are nowhere.
void TestHistogramReader::numbersThatNoHistogramHasAreNoBins()
{
    RunLogWriter writer(log());
    const RunId run = write(writer, 1);
    for (const char* change : { "counts = '[9223372036854775807,9223372036854775807]'",
             "not_finite = 9223372036854775807", "largest = 9e999", "least = 2, largest = 1",
             "least = -1.5e308, largest = 1.5e308" }) {
        execute(log(),
            "UPDATE histograms SET counts = '[1,20]', least = 0, largest = 1, not_finite = 0");
        QCOMPARE(histograms(run).at(0).histogram.counts.size(), std::size_t { 2 });
        execute(log(), std::string("UPDATE histograms SET ") + change);
        QVERIFY2(histograms(run).at(0).histogram.counts.empty(), change);
    }
}

void TestHistogramReader::goWithTheirRun()
{
    RunLogWriter writer(log());
    const RunId run = write(writer, 3);
    writer.sink(run).emitEvent(endAt(3));
    QVERIFY(writer.flush());
    writer.prune({ run }, Prunable::Any);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM histograms"), 0);
    QCOMPARE(describe(checkLog(log()).damage).english(), std::string());
}

void TestHistogramReader::aLogOfFormat9IsBroughtUpToDate()
{
    makeLogOfFormat9(log());
    RunLogWriter writer(log());
    const RunId run = write(writer, 2);
    QCOMPARE(marks(run), (std::vector<std::int64_t> { 1, 2 }));
    QCOMPARE(describe(checkLog(log()).damage).english(), std::string());
}

void TestHistogramReader::aLogOfFormat9HasNone()
{
    makeLogOfFormat9(log());
    const RunId run = RunLogReader(log()).runs().front().id;
    QVERIFY(HistogramReader(log()).names(run).parameters.empty());
    QVERIFY(histograms(run).empty());
    QCOMPARE(integerIn(log(), "PRAGMA user_version"), 9);
}

QTEST_GUILESS_MAIN(TestHistogramReader)
#include "tst_histogram_reader.moc"
