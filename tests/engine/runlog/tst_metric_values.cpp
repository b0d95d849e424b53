// SPDX-License-Identifier: Apache-2.0
// Metrics that the table of metrics lacks, and that have no column: written, read, exported,
// resumed, checked and deleted as any other.
#include "run_log_fixture.h"

#include "engine/exchange/csv.h"
#include "engine/logfile/schema.h"
#include "engine/runlog/log_check.h"
#include "engine/runlog/run_log_reader.h"
#include "engine/runs/run_log_error.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>

#include <QTemporaryDir>
#include <QTest>

#include <SQLiteCpp/Database.h>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

constexpr const char* kName = "noise_scale";

StepDone valuedStep(std::int64_t step, double value)
{
    StepDone done = stepAt(step);
    done.values = { { kName, value } };
    return done;
}

std::string textOf(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(stream), {} };
}

// A log as the program wrote it before there was format 8.
void makeLogOfFormat7(const fs::path& file)
{
    const std::vector<Migration> list(migrations().begin(), migrations().begin() + 7);
    makeLogOfFormat5(file);
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
    migrate(database, list);
}

} // namespace

class TestMetricValues : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_folder.reset(); }

    void isReadBackOverEveryAxis();
    void aRunWithoutItHasNoneOfIt();
    void hasASummaryBehindThoseOfTheTable();
    void isExportedLongAndWide();
    void mayHaveAnyName();
    void keepsValuesThatAreNotFinite();
    void epochsAndEvaluationsCarryThemToo();
    void whatALaterAttemptDidAgainIsSuperseded();
    void eachRankHasItsOwn();
    void everyMicroBatchOfATraceIsAPlace();
    void damageIsFound();
    void goesWithItsRun();
    void aLogOfFormat7IsBroughtUpToDate();
    void aLogOfFormat7IsViewedAsItIs();
    void aNewerLogThatPassesForFormat7IsDamaged();

private:
    fs::path log() const { return m_folder->filePath("runs.db").toStdString(); }
    fs::path csv() const { return m_folder->filePath("out.csv").toStdString(); }
    std::vector<SeriesPoint> points(RunId run) const
    {
        return RunLogReader(log()).series(run, kName, Axis::Step);
    }
    // A run of as many steps, whose values are ten times their numbers.
    RunId write(RunLogWriter& writer, std::int64_t steps) const
    {
        const RunId run = writeRun(writer, "valued", 0, /*ended=*/false);
        for (std::int64_t step = 1; step <= steps; ++step)
            writer.sink(run).emitEvent(valuedStep(step, 10.0 * static_cast<double>(step)));
        writer.flush();
        return run;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestMetricValues::isReadBackOverEveryAxis()
{
    RunLogWriter writer(log());
    const RunId run = write(writer, 3);
    RunLogReader reader(log());
    QCOMPARE(points(run), (std::vector<SeriesPoint> { { 1, 10 }, { 2, 20 }, { 3, 30 } }));
    for (const Axis axis :
        { Axis::Step, Axis::Samples, Axis::MicroBatches, Axis::Epoch, Axis::Seconds }) {
        const std::vector<SeriesPoint> losses = reader.series(run, "loss", axis);
        const std::vector<SeriesPoint> values = reader.series(run, kName, axis);
        QCOMPARE(values.size(), losses.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            QCOMPARE(values[i].x, losses[i].x);
    }
    QCOMPARE(reader.seriesAfter(run, kName, Axis::Step, 2).size(), std::size_t { 1 });
    QCOMPARE(reader.rows(run, kName).back().samples, std::int64_t { 384 });
}

void TestMetricValues::aRunWithoutItHasNoneOfIt()
{
    RunLogWriter writer(log());
    const RunId bare = writeRun(writer, "bare", 3);
    QVERIFY(messageOf([&] { points(bare); }).find("There is no metric") == 0);
    write(writer, 2);
    QVERIFY(points(bare).empty());
    QVERIFY(RunLogReader(log()).rows(bare, kName).empty());
}

void TestMetricValues::hasASummaryBehindThoseOfTheTable()
{
    RunLogWriter writer(log());
    const RunId run = write(writer, 3);
    const std::vector<MetricSummary> summaries = RunLogReader(log()).summaries(run);
    QCOMPARE(summaries.front().metric, std::string("loss"));
    QCOMPARE(summaries.back().metric, std::string(kName));
    QCOMPARE(summaries.back().final, 30.0);
    QCOMPARE(summaries.back().min, 10.0);
    QCOMPARE(summaries.back().max, 30.0);
    QVERIFY(!hasBest(metricNamed(summaries.back().metric)));
}

void TestMetricValues::isExportedLongAndWide()
{
    RunLogWriter writer(log());
    const RunId bare = writeRun(writer, "bare", 1);
    const RunId run = write(writer, 2);
    RunLogReader reader(log());
    QVERIFY(exportSeriesCsv(reader, { bare, run }, csv()));
    const std::string series = textOf(csv());
    QVERIFY2(series.find("2,valued,2,256,8,1,0.02,noise_scale,20,0\r\n") != std::string::npos,
        series.c_str());
    QVERIFY(series.find("1,bare,1,128,4,1,0.01,noise_scale") == std::string::npos);
    QVERIFY(exportRunsCsv(reader, { bare, run }, csv()));
    const std::string wide = textOf(csv());
    QVERIFY(wide.find(",noise_scale.final,noise_scale.best,noise_scale.best_step,noise_scale.min,"
                      "noise_scale.max\r\n")
        != std::string::npos);
    QVERIFY2(wide.find(",,,,,\r\n2,valued") != std::string::npos, wide.c_str());
    QVERIFY2(wide.ends_with(",20,10,1,10,20\r\n"), wide.c_str());
    QVERIFY(exportRunsCsv(reader, { bare }, csv()));
    QVERIFY(textOf(csv()).find(kName) == std::string::npos); // none of these runs has it
}

// Another program, or somebody who means harm, may have named it.
void TestMetricValues::mayHaveAnyName()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "named", 0, /*ended=*/false);
    const std::string name = "=a,\"b'; DROP TABLE runs; --";
    StepDone step = stepAt(1);
    step.values = { { name, 1.5 } };
    writer.sink(run).emitEvent(step);
    QVERIFY(writer.flush());
    RunLogReader reader(log());
    QCOMPARE(reader.series(run, name, Axis::Step), (std::vector<SeriesPoint> { { 1, 1.5 } }));
    QVERIFY(exportSeriesCsv(reader, { run }, csv()));
    const std::string text = textOf(csv());
    QVERIFY2(text.find("\"'=a,\"\"b'; DROP TABLE runs; --\",1.5,0\r\n") != std::string::npos,
        text.c_str());
    QCOMPARE(describe(checkLog(log()).damage).english(), std::string());
}

void TestMetricValues::keepsValuesThatAreNotFinite()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "diverged", 0, /*ended=*/false);
    writer.sink(run).emitEvent(valuedStep(1, std::numeric_limits<double>::quiet_NaN()));
    writer.sink(run).emitEvent(valuedStep(2, -std::numeric_limits<double>::infinity()));
    QVERIFY(writer.flush());
    QVERIFY(std::isnan(points(run)[0].y));
    QCOMPARE(points(run)[1].y, -std::numeric_limits<double>::infinity());
    QVERIFY(std::isnan(RunLogReader(log()).summaries(run).back().best));
}

void TestMetricValues::epochsAndEvaluationsCarryThemToo()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "others", 10, /*ended=*/false);
    EpochDone epoch = epochAt(1, 10, 0.5, 0.8);
    epoch.values = { { "of_epoch", 3 } };
    Evaluated evaluated = evaluationAt(10, 0.4, 0.9);
    evaluated.values = { { "of_evaluation", 4 } };
    writer.sink(run).emitEvent(epoch);
    writer.sink(run).emitEvent(evaluated);
    QVERIFY(writer.flush());
    RunLogReader reader(log());
    QCOMPARE(reader.series(run, "of_epoch", Axis::Step), (std::vector<SeriesPoint> { { 10, 3 } }));
    QCOMPARE(
        reader.series(run, "of_evaluation", Axis::Step), (std::vector<SeriesPoint> { { 10, 4 } }));
    QCOMPARE(describe(checkLog(log()).damage).english(), std::string());
}

void TestMetricValues::whatALaterAttemptDidAgainIsSuperseded()
{
    RunId run {};
    {
        RunLogWriter gone(log());
        run = write(gone, 5);
    }
    RunLogWriter writer(log());
    writer.resumeRun(run, pointAfter(3));
    QCOMPARE(points(run).size(), std::size_t { 3 });
    QCOMPARE(RunLogReader(log()).summaries(run).back().max, 30.0);
    writer.sink(run).emitEvent(valuedStep(4, 1));
    writer.sink(run).emitEvent(endAt(4));
    QVERIFY(writer.flush());
    QCOMPARE(points(run), (std::vector<SeriesPoint> { { 1, 10 }, { 2, 20 }, { 3, 30 }, { 4, 1 } }));
    QCOMPARE(RunLogReader(log()).summaries(run).back().final, 1.0);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM metric_values"), 6);
    QCOMPARE(describe(checkLog(log()).damage).english(), std::string());
}

// A summary is that of rank 0.
void TestMetricValues::eachRankHasItsOwn()
{
    RunLogWriter writer(log());
    const RunId run = write(writer, 1);
    for (const std::int64_t step : { 2, 3 }) {
        RanksMeasured measured { .step = step };
        for (const std::int64_t rank : { 0, 1, 2 })
            measured.values.push_back({ "wait_ms", static_cast<double>(10 * step + rank), rank });
        writer.sink(run).emitEvent(measured);
    }
    writer.flush();
    RunLogReader reader(log());
    for (const std::int64_t rank : { 0, 1, 2 }) {
        const auto own = static_cast<double>(rank);
        QCOMPARE(reader.series(run, "wait_ms", Axis::Step, rank),
            (std::vector<SeriesPoint> { { 2, 20 + own }, { 3, 30 + own } }));
    }
    QCOMPARE(reader.series(run, "wait_ms", Axis::Step),
        (std::vector<SeriesPoint> { { 2, 20 }, { 3, 30 } }));
    QVERIFY(reader.series(run, "wait_ms", Axis::Step, 3).empty());
    const auto places = reader.valuesOfRanks(run, "wait_ms", Axis::Step, 2);
    QCOMPARE(places.size(), std::size_t { 1 });
    QCOMPARE(places.front().x, 3.0);
    QCOMPARE(places.front().values, (std::vector<double> { 30, 31, 32 }));
    QVERIFY(reader.valuesOfRanks(run, "loss", Axis::Step, 0).empty()); // of the whole run
    QCOMPARE(reader.rows(run, "wait_ms").size(), std::size_t { 6 });
    QCOMPARE(reader.rows(run, "wait_ms").back().rank, 2);
    for (const MetricSummary& summary : reader.summaries(run))
        if (summary.metric == "wait_ms")
            QCOMPARE(summary.max, 30.0);
}

// Of a step with several micro-batches each is a place of its own, and a trace has no summary.
void TestMetricValues::everyMicroBatchOfATraceIsAPlace()
{
    RunLogWriter writer(log());
    const RunId run = write(writer, 1);
    for (const std::int64_t microBatch : { 5, 6 }) {
        RanksMeasured measured { .step = 2, .microBatches = microBatch };
        for (const std::int64_t rank : { 1, 0 })
            measured.values.push_back(
                { "rank_checksum", static_cast<double>(100 * microBatch + rank), rank });
        writer.sink(run).emitEvent(measured);
    }
    writer.flush();
    RunLogReader reader(log());
    const auto places = reader.valuesOfRanks(run, "rank_checksum", Axis::MicroBatches, 0);
    QCOMPARE(places.size(), std::size_t { 2 });
    QCOMPARE(places[0].values, (std::vector<double> { 500, 501 }));
    QCOMPARE(places[1].x, 6.0);
    for (const MetricSummary& summary : reader.summaries(run))
        QVERIFY(summary.metric != "rank_checksum");
}

void TestMetricValues::damageIsFound()
{
    {
        RunLogWriter writer(log());
        write(writer, 3);
    }
    execute(log(), "UPDATE metric_values SET value = 7.0 WHERE step = 2");
    QCOMPARE(describe(checkLog(log()).damage).english(),
        std::string("table metric_values, run #1, steps 1 to 3: the rows do not match the"
                    " checksum"));
    RunLogReader reader(log());
    std::vector<LogDamage> leftOut;
    QCOMPARE(kindOf([&] { exportSeriesCsv(reader, { RunId { 1 } }, csv()); }),
        RunLogError::Kind::Damaged);
    QVERIFY(exportSeriesCsv(reader, { RunId { 1 } }, csv(), {}, &leftOut));
    QCOMPARE(leftOut.size(), std::size_t { 1 });
    QVERIFY(textOf(csv()).find(kName) == std::string::npos);
    QVERIFY(textOf(csv()).find(",loss,") != std::string::npos);
}

void TestMetricValues::goesWithItsRun()
{
    RunLogWriter writer(log());
    const RunId run = write(writer, 3);
    writer.sink(run).emitEvent(endAt(3));
    QVERIFY(writer.flush());
    writer.prune({ run }, Prunable::Any);
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM metric_values"), 0);
    QCOMPARE(describe(checkLog(log()).damage).english(), std::string());
}

void TestMetricValues::aLogOfFormat7IsBroughtUpToDate()
{
    makeLogOfFormat7(log());
    QCOMPARE(integerIn(log(), "PRAGMA user_version"), 7);
    const std::int64_t checked = checkLog(log()).rows;
    {
        RunLogWriter writer(log());
        QCOMPARE(integerIn(log(), "PRAGMA user_version"), currentVersion());
        QCOMPARE(checkLog(log()).rows, checked);
        write(writer, 2);
    }
    QCOMPARE(describe(checkLog(log()).damage).english(), std::string());
    QCOMPARE(integerIn(log().string() + ".backup-v7", "PRAGMA user_version"), 7);
}

void TestMetricValues::aLogOfFormat7IsViewedAsItIs()
{
    makeLogOfFormat7(log());
    RunLogReader reader(log());
    const RunId run = reader.runs().front().id;
    QVERIFY(
        messageOf([&] { reader.series(run, kName, Axis::Step); }).find("There is no metric") == 0);
    QVERIFY(reader.series(run, "update_ratio", Axis::Step).empty()); // which has a row of the table
    QVERIFY(reader.damageIn(run, CheckedTable::MetricValues).damage.empty());
    QCOMPARE(describe(checkLog(log()).damage).english(), std::string());
    QVERIFY(exportSeriesCsv(reader, { run }, csv()));
    QVERIFY(exportRunsCsv(reader, { run }, csv()));
    QCOMPARE(integerIn(log(), "PRAGMA user_version"), 7);
}

void TestMetricValues::aNewerLogThatPassesForFormat7IsDamaged()
{
    {
        RunLogWriter writer(log());
        write(writer, 1);
    }
    execute(log(), "PRAGMA user_version = 7");
    const std::string message = messageOf([&] { RunLogReader { log() }; });
    QVERIFY2(message.find("is damaged (its format is 7") != std::string::npos, message.c_str());
}

QTEST_GUILESS_MAIN(TestMetricValues)
#include "tst_metric_values.moc"
