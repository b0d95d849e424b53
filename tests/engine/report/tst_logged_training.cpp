// SPDX-License-Identifier: Apache-2.0
#include "engine/report/logged_training.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <functional>
#include <memory>

#include "engine/base/error.h"
#include "engine/logfile/lock_file.h"
#include "engine/queue/run_queue.h"
#include "tests/support/fake_engine.h"

using namespace accrue;

namespace {

class CountingObserver : public TrainingObserver {
public:
    void began(RunId run) override
    {
        begun = run;
        if (onBegun)
            onBegun();
    }
    void emitted(const Event&) override { ++shown; }
    void emitEvent(Event) override { ++committed; }
    void trained() override { isTrained = true; }

    std::function<void()> onBegun;
    RunId begun {};
    int shown = 0; // on the session's thread, which is the test's
    std::atomic<int> committed = 0;
    bool isTrained = false;
};

// 10 windows of 1280 samples an epoch.
TrainingOrder orderOf(std::int64_t epochs)
{
    Experiment experiment;
    experiment.name = "ordered";
    experiment.batch.micro = BatchNumber::given(64);
    experiment.batch.steps = BatchNumber::given(2);
    experiment.run.epochs = epochs;
    return { requireResolved(experiment), {} };
}

} // namespace

class TestLoggedTraining : public QObject {
    Q_OBJECT

    std::filesystem::path log() const { return m_folder->filePath("runs.db").toStdString(); }

    LoggedTraining train(const TrainingOrder& order)
    {
        RunLogWriter writer(log());
        RunControl control;
        return trainInLog(m_engine, order, control, &writer, *m_observer, AfterTraining::CloseLog);
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_observer = std::make_unique<CountingObserver>();
    }

    void aNewRunIsBegunTrainedAndCommitted()
    {
        const LoggedTraining done = train(orderOf(2));
        QVERIFY(done.ended.outcome == RunOutcome::Completed);
        QVERIFY(done.unwritten.empty());
        QCOMPARE(m_observer->begun, done.id);
        QVERIFY(m_observer->isTrained);
        QVERIFY(m_observer->shown > 20);
        QCOMPARE(m_observer->committed.load(), m_observer->shown);
        const RunRecord run = RunLogReader(log()).run(done.id);
        QCOMPARE(run.step, std::int64_t { 20 });
        QCOMPARE(run.plan.micro, std::int64_t { 64 });
        QVERIFY(run.outcome == RunOutcome::Completed);
    }

    void aRunOfTheLogIsResumed()
    {
        m_engine.setOptions({ .failAtStep = 15 });
        const RunId id = train(orderOf(2)).id;
        m_engine.setOptions({});
        TrainingOrder order = orderOf(2);
        order.resumed = ResumedRun { id, {}, {} };
        QVERIFY(resumeProblem(m_engine, order).empty());
        const LoggedTraining done = train(order);
        QCOMPARE(done.id, id);
        QCOMPARE(RunLogReader(log()).run(id).attempt, 2);
        m_engine.setOptions({ .resumeProblem = Message::plain("The data differ.") });
        QCOMPARE(resumeProblem(m_engine, order).english(), std::string("The data differ."));
        QVERIFY(resumeProblem(m_engine, orderOf(2)).empty()); // resumes none
    }

    void aRunThatStopsAtItsRungStaysInTheQueue_data()
    {
        QTest::addColumn<bool>("byPerson");
        QTest::newRow("at its rung") << false;
        QTest::newRow("a person has stopped it before") << true;
    }
    void aRunThatStopsAtItsRungStaysInTheQueue()
    {
        QFETCH(bool, byPerson);
        RunLogWriter writer(log());
        RunQueue queue(writer);
        RunToQueue queued;
        TrainingOrder order = orderOf(2);
        queued.resolved = order.resolved;
        order.queued = queue.add({ queued }).runs.front();
        QVERIFY(queue.take().has_value());
        order.stopAfter = 7;
        order.stopsAtRung = true;
        RunControl control;
        m_observer->onBegun = [&] {
            if (byPerson)
                control.requestStop();
        };
        const LoggedTraining done =
            trainInLog(m_engine, order, control, &writer, *m_observer, AfterTraining::FlushLog);
        QVERIFY(done.ended.outcome == RunOutcome::Stopped);
        QCOMPARE(done.ended.staysQueued, !byPerson);
        QVERIFY(byPerson || m_engine.lastRequest().evaluatesAtStop);
        const RunRecord run = RunLogReader(log()).run(done.id);
        QCOMPARE(run.queue.has_value(), !byPerson);
        QCOMPARE(run.outcome.has_value(), byPerson);
        writer.close();
    }

    // The window's writer stays open and writes the rest once it can.
    void whatTheLogLacksIsReportedWhileTheWriterStaysOpen()
    {
        CountingObserver observer;
        RunLogWriter writer(log());
        LockFile other(log(), LockFile::Purpose::Writing);
        RunControl control;
        observer.onBegun = [&] { QVERIFY(other.tryTurn()); };
        const LoggedTraining done =
            trainInLog(m_engine, orderOf(1), control, &writer, observer, AfterTraining::FlushLog);
        QVERIFY(done.ended.outcome == RunOutcome::Completed);
        QVERIFY(!done.unwritten.empty());
        QCOMPARE(done.unwritten.english(), writer.problem().english());
        QVERIFY(!RunLogReader(log()).run(done.id).outcome);
        other.endTurn();
        QVERIFY(writer.flush());
        QVERIFY(RunLogReader(log()).run(done.id).outcome == RunOutcome::Completed);
    }

    void withoutALogNothingIsBegun()
    {
        RunControl control;
        CountingObserver observer;
        TrainingOrder order = orderOf(1);
        order.checkpointFolder = m_folder->filePath("saved").toStdString();
        const LoggedTraining done =
            trainInLog(m_engine, order, control, nullptr, observer, AfterTraining::CloseLog);
        QVERIFY(done.ended.outcome == RunOutcome::Completed);
        QVERIFY(observer.begun == RunId {} && done.id == RunId {});
        QCOMPARE(observer.committed.load(), observer.shown);
        QVERIFY(!std::filesystem::exists(log()));
    }

    void whatTheEngineRefusesIsNotBegun()
    {
        m_engine.setOptions({ .wrongInput = "There is no such data." });
        QVERIFY_THROWS_EXCEPTION(InputError, train(orderOf(1)));
        QVERIFY(RunLogReader(log()).runs().empty());
    }

    void cleanup()
    {
        m_engine.setOptions({});
        m_folder.reset();
    }

private:
    FakeEngine m_engine;
    std::unique_ptr<CountingObserver> m_observer;
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestLoggedTraining)
#include "tst_logged_training.moc"
