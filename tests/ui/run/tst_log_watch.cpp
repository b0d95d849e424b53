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

QTEST_GUILESS_MAIN(TestLogWatch)
#include "tst_log_watch.moc"
