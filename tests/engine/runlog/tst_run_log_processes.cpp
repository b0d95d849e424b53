// SPDX-License-Identifier: Apache-2.0
// Several processes at one run log, and what is left when one of them dies.
#include "run_log_fixture.h"

#include "engine/runlog/run_log_reader.h"
#include "tests/support/waiting.h"

#include <algorithm>
#include <csignal>

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace accrue;

class TestRunLogProcesses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_folder.reset(); }

    void losesNothingAcknowledgedWhenKilled();
    void showsARunOfAnotherProcessWhileItRuns();
    void noticesTheDeathOfAnotherProcess();
    void letsTwoProcessesWriteAtOnce();
    void keepsRowsWhileTheDiskIsFull();
    void aRunKilledAndResumedAgainAndAgainIsWhole();
    void onlyOneOfTwoProcessesTakesUpARun();

private:
    std::filesystem::path log() const
    {
        return std::filesystem::path(m_folder->path().toStdString()) / "runs.db";
    }
    QString logName() const { return QString::fromStdString(log().string()); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

constexpr const char* kEndless = "1000000000";

std::int64_t stepIn(const QByteArray& line)
{
    return line.startsWith("step ") ? line.mid(5).toLongLong() : 0;
}

// Reads the child's output until it has written at least `steps`; returns the last step it printed.
std::int64_t waitForStep(QProcess& child, std::int64_t steps)
{
    std::int64_t step = 0;
    QByteArray line = nextLine(child);
    while (!line.isEmpty()) {
        step = std::max(step, stepIn(line));
        if (step >= steps)
            return step;
        line = nextLine(child);
    }
    return step;
}

std::int64_t lastAcknowledged(QProcess& child, std::int64_t step)
{
    while (child.canReadLine())
        step = std::max(step, stepIn(child.readLine().trimmed()));
    return step;
}

} // namespace

void TestRunLogProcesses::losesNothingAcknowledgedWhenKilled()
{
    for (int round = 0; round < 5; ++round) {
        QProcess child;
        startChild(child, { "write", logName(), "killed", kEndless });
        const std::int64_t read = waitForStep(child, 100 + 137 * round);
        child.kill(); // SIGKILL
        QVERIFY(child.waitForFinished());
        const std::int64_t acknowledged = lastAcknowledged(child, read);
        QVERIFY(acknowledged >= 100);

        RunLogReader reader(log());
        const RunRecord run = reader.runs().front();
        QCOMPARE(run.state, RunState::Interrupted);
        QVERIFY(!run.outcome);
        QCOMPARE(textIn(log(), "PRAGMA integrity_check"), std::string("ok"));
        const std::vector<SeriesPoint> loss = reader.series(run.id, "loss", Axis::Step);
        QVERIFY(static_cast<std::int64_t>(loss.size()) >= acknowledged);
        for (std::size_t i = 0; i < loss.size(); ++i)
            QCOMPARE(loss[i].x, static_cast<double>(i + 1));
        QCOMPARE(run.step, static_cast<std::int64_t>(loss.size()));
    }
    QCOMPARE(RunLogReader(log()).runs().size(), std::size_t { 5 });
}

void TestRunLogProcesses::showsARunOfAnotherProcessWhileItRuns()
{
    QProcess child;
    startChild(child, { "write", logName(), "theirs", kEndless });
    waitForStep(child, 1);
    RunLogReader reader(log());
    QCOMPARE(reader.runs().front().state, RunState::Running);
    const std::int64_t before = reader.run(RunId { 1 }).step;
    QVERIFY(reader.changed());
    bool again = false;
    QTRY_VERIFY(again = again || reader.changed());
    QTRY_VERIFY(reader.run(RunId { 1 }).step > before);
    QVERIFY(!reader.seriesAfter(RunId { 1 }, "loss", Axis::Step, before).empty());
    child.kill();
    QVERIFY(child.waitForFinished());
}

void TestRunLogProcesses::noticesTheDeathOfAnotherProcess()
{
    QProcess child;
    startChild(child, { "write", logName(), "dies", kEndless });
    waitForStep(child, 1);
    ::kill(static_cast<pid_t>(child.processId()), SIGSTOP);
    RunLogReader reader(log());
    QTRY_VERIFY(!reader.changed());
    QCOMPARE(reader.runs().front().state, RunState::Running);
    child.kill();
    QVERIFY(child.waitForFinished());
    QVERIFY(reader.changed()); // nothing was committed; its lock was freed
    QCOMPARE(reader.runs().front().state, RunState::Interrupted);
    QVERIFY(!reader.changed());
}

void TestRunLogProcesses::letsTwoProcessesWriteAtOnce()
{
    QProcess first;
    QProcess second;
    startChild(first, { "write", logName(), "first", "3000" });
    startChild(second, { "write", logName(), "second", "3000" });
    QVERIFY(first.waitForFinished(60'000));
    QVERIFY(second.waitForFinished(60'000));
    QCOMPARE(first.exitCode(), 0);
    QCOMPARE(second.exitCode(), 0);
    QCOMPARE(textIn(log(), "PRAGMA integrity_check"), std::string("ok"));
    RunLogReader reader(log());
    QCOMPARE(reader.runs().size(), std::size_t { 2 });
    for (const RunRecord& run : reader.runs()) {
        QCOMPARE(run.state, RunState::Finished);
        QCOMPARE(reader.series(run.id, "loss", Axis::Step).size(), std::size_t { 3000 });
    }
}

void TestRunLogProcesses::keepsRowsWhileTheDiskIsFull()
{
    QProcess child;
    startChild(child, { "full", logName(), "400000" });
    const QByteArray problem = nextLine(child);
    QVERIFY2(problem.startsWith("problem The run log ") && problem.contains(log().string().c_str()),
        problem);
    QVERIFY2(problem.contains("Free some space"), problem);
    QCOMPARE(nextLine(child), QByteArray("flush waits"));
    const QByteArray then = nextLine(child);
    QVERIFY2(then.startsWith("then written "), then);
    QVERIFY(child.waitForFinished());
    QCOMPARE(child.exitCode(), 0);
    RunLogReader reader(log());
    const RunRecord run = reader.runs().front();
    QCOMPARE(run.state, RunState::Finished);
    QCOMPARE(run.step, then.mid(13).toLongLong());
    QCOMPARE(static_cast<std::int64_t>(reader.series(run.id, "loss", Axis::Step).size()), run.step);
    QCOMPARE(textIn(log(), "PRAGMA integrity_check"), std::string("ok"));
}

void TestRunLogProcesses::aRunKilledAndResumedAgainAndAgainIsWhole()
{
    constexpr int kKills = 6;
    QProcess first;
    startChild(first, { "write", logName(), "run", kEndless });
    std::int64_t read = waitForStep(first, 150);
    first.kill(); // SIGKILL, between rows or within a transaction
    QVERIFY(first.waitForFinished());
    std::int64_t from = 0; // the first attempt died before its first checkpoint
    for (int kill = 1; kill < kKills; ++kill) {
        QProcess next;
        startChild(next, { "resume", logName(), "1", QString::number(from), kEndless });
        QCOMPARE(nextLine(next), QByteArray("run 1"));
        read = waitForStep(next, from + 60 + 37 * kill);
        next.kill();
        QVERIFY(next.waitForFinished());
        from = read - 40;
    }
    const std::int64_t total = from + 500;
    QProcess last;
    startChild(last, { "resume", logName(), "1", QString::number(from), QString::number(total) });
    QVERIFY(last.waitForFinished(60'000));
    QProcess never;
    startChild(never, { "write", logName(), "never stopped", QString::number(total) });
    QVERIFY(never.waitForFinished(60'000));

    RunLogReader reader(log());
    const RunId run { 1 };
    const RunId expected { 2 };
    QCOMPARE(reader.run(run).state, RunState::Finished);
    QCOMPARE(reader.run(run).attempt, kKills + 1);
    for (const Axis axis : { Axis::Step, Axis::MicroBatches, Axis::Seconds })
        QCOMPARE(reader.series(run, "loss", axis), reader.series(expected, "loss", axis));
    QCOMPARE(static_cast<std::int64_t>(reader.rows(run, "peak_bytes").size()), total);
    for (std::size_t i = 0; i < reader.summaries(run).size(); ++i) {
        QCOMPARE(reader.summaries(run)[i].final, reader.summaries(expected)[i].final);
        QCOMPARE(reader.summaries(run)[i].best, reader.summaries(expected)[i].best);
    }
    QVERIFY(integerIn(log(), "SELECT count(*) FROM steps WHERE run_id = 1") >= total + 40);
    QCOMPARE(textIn(log(), "PRAGMA integrity_check"), std::string("ok"));
}

void TestRunLogProcesses::onlyOneOfTwoProcessesTakesUpARun()
{
    {
        RunLogWriter gone(log());
        writeRun(gone, "wanted", 5, /*ended=*/false);
    }
    for (int round = 1; round <= 5; ++round) {
        QProcess one;
        QProcess two;
        startChild(one, { "resume", logName(), "1", "5", kEndless });
        startChild(two, { "resume", logName(), "1", "5", kEndless });
        const QByteArray first = nextLine(one);
        const QByteArray second = nextLine(two);
        QVERIFY2((first == "run 1") != (second == "run 1"), first + " | " + second);
        const QByteArray& refused = first == "run 1" ? second : first;
        QVERIFY2(refused.contains("is training now"), refused);
        one.kill();
        two.kill();
        QVERIFY(one.waitForFinished());
        QVERIFY(two.waitForFinished());
        QCOMPARE(RunLogReader(log()).run(RunId { 1 }).attempt, round + 1);
    }
}

QTEST_GUILESS_MAIN(TestRunLogProcesses)
#include "tst_run_log_processes.moc"
