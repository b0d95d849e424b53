// SPDX-License-Identifier: Apache-2.0
// The window trains the queue of the log, run after run.
#include "ui/run/queue_runner.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

#include "engine/door/loader.h"
#include "engine/runlog/run_log_reader.h"
#include "tests/support/fake_engine.h"
#include "tests/support/waiting.h"

using namespace accrue;

namespace {

FakeEngine& engine()
{
    static FakeEngine fake;
    return fake;
}

RunToQueue runNamed(const std::string& name, std::int64_t epochs = 1)
{
    Experiment experiment;
    experiment.name = name;
    experiment.run.epochs = epochs;
    return { requireResolved(experiment), {}, {} };
}

} // namespace

class TestQueueRunner : public QObject {
    Q_OBJECT
private:
    std::filesystem::path log() const
    {
        return std::filesystem::path(m_folder->path().toStdString()) / "runs.db";
    }
    RunRecord run(int id) const { return RunLogReader(log()).run(RunId { id }); }
    std::size_t count() const
    {
        return std::filesystem::exists(log()) ? RunLogReader(log()).runs().size() : 0;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<EngineHost> m_host;
    std::unique_ptr<LogHost> m_log;
    std::unique_ptr<RunController> m_controller;
    std::unique_ptr<QueueRunner> m_queue;

    void startLong()
    {
        engine().setOptions({ .stepTime = std::chrono::milliseconds(5) });
        m_controller->start(runNamed("first", 1000).resolved, {});
        QTRY_COMPARE(m_controller->state(), RunController::State::Running);
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", m_folder->path().toUtf8());
        engine().setOptions({});
        setEngineForTesting(&engine());
        m_host = std::make_unique<EngineHost>();
        m_log = std::make_unique<LogHost>(log());
        m_controller = std::make_unique<RunController>(*m_host, *m_log);
        m_queue = std::make_unique<QueueRunner>(
            *m_controller, *m_log, [] { return std::vector<std::filesystem::path> {}; });
    }
    void cleanup()
    {
        m_queue.reset();
        m_controller.reset();
        m_log.reset();
        m_host.reset();
        m_folder.reset();
    }

    void trainsWhatIsAddedAtOnceWhenNothingTrains()
    {
        const QSignalSpy added(m_queue.get(), &QueueRunner::added);
        m_queue->add({ runNamed("a"), runNamed("b") });
        QTRY_COMPARE(added.size(), 1);
        QTRY_VERIFY(!m_queue->isOn());
        QCOMPARE(count(), 2U);
        for (const int id : { 1, 2 })
            QCOMPARE(run(id).outcome, RunOutcome::Completed);
    }

    void goesOnAfterTheRunThatTrains()
    {
        startLong();
        engine().setOptions({ .stepTime = std::chrono::milliseconds(1) });
        m_queue->add({ runNamed("b") });
        QTRY_VERIFY(m_queue->isOn());
        QCOMPARE(run(2).state, RunState::Queued);
        QCOMPARE(run(1).state, RunState::Running);
    }

    void restsWhenAPersonStopsARun()
    {
        startLong();
        m_queue->add({ runNamed("b") });
        QTRY_VERIFY(m_queue->isOn());
        m_controller->stop();
        QTRY_VERIFY(m_queue->isResting());
        QVERIFY(!m_queue->isOn());
        QTRY_COMPARE(m_controller->state(), RunController::State::Idle);
        QCOMPARE(run(2).state, RunState::Queued);
        engine().setOptions({});
        m_queue->setOn(true);
        QVERIFY(!m_queue->isResting());
        QTRY_COMPARE(run(2).outcome, RunOutcome::Completed);
    }

    // Nobody has stopped a run that waits there for the others of its sweep.
    void goesOnWhenARunHasReachedItsRung()
    {
        std::vector<RunToQueue> runs { runNamed("a"), runNamed("b") };
        for (RunToQueue& run : runs)
            run.rungs = { 2 };
        const QSignalSpy added(m_queue.get(), &QueueRunner::added);
        m_queue->add(runs, SweepToQueue { "sweep", {} });
        QTRY_COMPARE(added.size(), 1);
        QTRY_VERIFY(!m_queue->isOn());
        QVERIFY(!m_queue->isResting());
        for (const int id : { 1, 2 }) {
            QCOMPARE(run(id).outcome, RunOutcome::Completed);
            QCOMPARE(run(id).attempt, 2);
        }
    }

    void aRunOfTheQueueThatIsStoppedForGoodLeavesIt()
    {
        engine().setOptions({ .stepTime = std::chrono::milliseconds(5) });
        m_queue->add({ runNamed("a", 1000) });
        QTRY_COMPARE(m_controller->state(), RunController::State::Running);
        m_controller->stop();
        QTRY_COMPARE(m_controller->state(), RunController::State::Idle);
        QCOMPARE(run(1).outcome, RunOutcome::Stopped);
        QVERIFY(!run(1).queue.has_value());
    }

    void aRunOfTheQueueWaitsWhenTheWindowCloses()
    {
        engine().setOptions({ .stepTime = std::chrono::milliseconds(5) });
        m_queue->add({ runNamed("a", 1000) });
        QTRY_COMPARE(m_controller->state(), RunController::State::Running);
        QTRY_VERIFY(run(1).step > 0);
        m_controller->stop(RunController::Stop::Waits);
        QTRY_COMPARE(m_controller->state(), RunController::State::Idle);
        QCOMPARE(run(1).state, RunState::Queued);
        QVERIFY(run(1).step > 0);
    }

    void trainsAChosenRunNext()
    {
        startLong();
        m_queue->add({ runNamed("b"), runNamed("c") });
        QTRY_COMPARE(count(), 3U);
        m_controller->stop();
        QTRY_COMPARE(m_controller->state(), RunController::State::Idle);
        engine().setOptions({ .stepTime = std::chrono::milliseconds(5) });
        m_queue->trainNext(RunId { 3 });
        QTRY_COMPARE(run(3).state, RunState::Running);
        QCOMPARE(run(2).state, RunState::Queued);
    }

    void aRunThatCannotBeTrainedFailsAndTheNextOneBegins()
    {
        engine().setOptions({ .wrongInput = "The data are not there." });
        m_queue->add({ runNamed("a") });
        QTRY_VERIFY(count() == 1 && run(1).outcome.has_value());
        QCOMPARE(run(1).outcome, RunOutcome::Failed);
        QCOMPARE(QString::fromStdString(run(1).message.english()),
            QStringLiteral("The data are not there."));
        QTRY_VERIFY(!m_queue->isOn()); // nothing is left
    }

    void canBeSwitchedOffBeforeTheNextRun()
    {
        startLong();
        m_queue->add({ runNamed("b") });
        QTRY_VERIFY(m_queue->isOn());
        m_queue->setOn(false);
        m_controller->stop();
        QTRY_COMPARE(m_controller->state(), RunController::State::Idle);
        QVERIFY(!m_queue->isResting());
        QCOMPARE(run(2).state, RunState::Queued);
    }
};

QTEST_GUILESS_MAIN(TestQueueRunner)
#include "tst_queue_runner.moc"
