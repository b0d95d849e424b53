// SPDX-License-Identifier: Apache-2.0
#include "ui/run/log_watch.h"

#include <QTemporaryDir>
#include <QTest>

#include "tests/support/example_log.h"

#include <chrono>
#include <filesystem>
#include <memory>

using namespace accrue;
using namespace std::chrono_literals;

class TestLogWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void answersWhenTheListIsReadLaterThanTheChange();
    void whatRanksMeasureIsReadAsItGrows_data();
    void whatRanksMeasureIsReadAsItGrows();
};

// The list is slow to read, so that it is not due when another process resumes an interrupted run.
// Nothing is written after that: the answer must come with the list.
void TestLogWatch::answersWhenTheListIsReadLaterThanTheChange()
{
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath(QStringLiteral("runs.db")).toStdString();
    const ExampleRun died { exampleExperiments(1).front(), 200, 50, 0.01, RunOutcome::Stopped, 0 };
    auto log = std::make_unique<RunLogWriter>(file);
    ExampleRunInLog first(*log, died);
    const RunId id = first.id();
    first.advance(70);
    log = nullptr; // with the run's lock

    LogWatch::Clock::time_point now {};
    auto between = 1s; // two readings of the clock
    LogWatch watch([&] { return now += between; });
    watch.setFile(file);
    watch.setQueries({ { 1, { { { { id, "loss" } }, Axis::Seconds, 600, 0.9, { id } }, 1 } } });
    const LogNews before = watch.look(false);
    QCOMPARE(before.answers.size(), std::size_t { 1 });
    QCOMPARE(before.answers[0].batch->series[0].points.size(), std::size_t { 70 });

    log = std::make_unique<RunLogWriter>(file);
    ExampleRunInLog second(*log, died, id, 40);
    QVERIFY(log->flush());
    between = 0s;
    QVERIFY(watch.look(false).answers.empty());
    now += 1h;
    const LogNews after = watch.look(false);
    QCOMPARE(after.answers.size(), std::size_t { 1 });
    QCOMPARE(after.answers[0].batch->series[0].points.size(), std::size_t { 40 });
}

void TestLogWatch::whatRanksMeasureIsReadAsItGrows_data()
{
    QTest::addColumn<Axis>("axis");
    QTest::addColumn<double>("smoothing");
    QTest::addRow("steps") << Axis::Step << 0.0;
    QTest::addRow("seconds, smoothed") << Axis::Seconds << 0.9;
}

// The points are the means over the ranks; an attempt that repeats steps replaces them.
void TestLogWatch::whatRanksMeasureIsReadAsItGrows()
{
    QFETCH(Axis, axis);
    QFETCH(double, smoothing);
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath(QStringLiteral("runs.db")).toStdString();
    ExampleRun ofFour { exampleExperiments(1).front(), 200, 50, 0.01, RunOutcome::Stopped, 0 };
    ofFour.experiment.batch.micro = BatchNumber::given(4);
    ofFour.experiment.batch.devices = BatchNumber::given(4);
    RunLogWriter log(file);
    auto run = std::make_unique<ExampleRunInLog>(log, ofFour);
    LogWatch::Clock::time_point now {};
    LogWatch watch([&] { return now += 1min; });
    watch.setFile(file);
    watch.setQueries({ { 1, { { { { run->id(), "wait_ms" } }, axis, 600, smoothing, {} }, 1 } } });
    const auto look = [&] {
        log.flush();
        const LogNews news = watch.look(true);
        return news.answers.empty() ? SeriesBatch::Series {} : news.answers[0].batch->series[0];
    };
    QVERIFY(look().spread.empty());
    run->advance(10);
    QCOMPARE(look().spread.size(), std::size_t { 10 });
    run->advance(10);
    const SeriesBatch::Series grown = look();
    QCOMPARE(grown.spread.size(), std::size_t { 20 });
    QCOMPARE(grown.points.size(), std::size_t { 20 });
    QCOMPARE(grown.points.back().y, 25.0);
    QCOMPARE(grown.points.back().x, axis == Axis::Step ? 20.0 : 0.2);
    QCOMPARE(grown.smoothed.size(), std::size_t { smoothing > 0 ? 20U : 0U });
    QCOMPARE(grown.spread.back().low, 10.0);
    QCOMPARE(grown.spread.back().lowRank, 3);
    QCOMPARE(grown.meansOfRanks, (std::vector<double> { 40, 30, 20, 10 }));
    run->end();
    QCOMPARE(look().spread, grown.spread); // once more, whole
    run = std::make_unique<ExampleRunInLog>(log, ofFour, run->id(), 15);
    run->advance(1);
    QCOMPARE(look().spread.size(), std::size_t { 16 });
}

QTEST_GUILESS_MAIN(TestLogWatch)
#include "tst_log_watch.moc"
