// SPDX-License-Identifier: Apache-2.0
// Successive halving of the sweeps in a queue. Each run has rungs at updates 7 and 21 of its 63.
#include "run_log_fixture.h"

#include "engine/queue/run_queue.h"
#include "engine/runlog/run_log_reader.h"
#include "engine/sweep/sweep_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;

namespace {

SweepDefinition halvedBy(std::int64_t factor)
{
    SweepDefinition sweep;
    sweep.base = experimentNamed("sweep");
    sweep.seeds = 9;
    sweep.halving = factor;
    return sweep;
}

} // namespace

class TestSweepRungs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_log = std::make_unique<RunLogWriter>(file());
        m_queue = std::make_unique<RunQueue>(*m_log);
    }

    void cleanup()
    {
        RunLogReader reader(file());
        for (const RunRecord& run : reader.runs(RunLogReader::Archived::Show))
            for (const CheckedTable table : checkedTables())
                QVERIFY2(reader.damageIn(run.id, table).damage.empty(), nameOf(table).data());
        m_queue.reset();
        m_log.reset();
        m_folder.reset();
    }

    void aRunOfTheQueueKnowsItsRungs()
    {
        const std::vector<RunId> runs = add(1);
        QCOMPARE(recordOf(runs[0]).queue->rungs, (std::vector<std::int64_t> { 7, 21 }));
        QCOMPARE(m_queue->take().value().rung, 7);
    }

    void theBestOfARungGoOnAndTheOthersEnd()
    {
        const std::vector<RunId> runs = add(9);
        for (const int accuracy : { 10, 90, 20, 80, 30, 70, 40, 60, 50 })
            trainNext(accuracy);
        QueueNews news;
        const TakenRun next = m_queue->take({}, &news).value();
        QCOMPARE(next.id, runs[1]);
        QCOMPARE(next.rung, 21);
        QVERIFY(next.begun);
        QCOMPARE(news.stopped,
            (std::vector<RunId> { runs[0], runs[2], runs[4], runs[6], runs[7], runs[8] }));
        QCOMPARE(waiting(), (std::vector<RunId> { runs[1], runs[3], runs[5] }));
        const RunRecord stopped = recordOf(runs[7]);
        QCOMPARE(stopped.outcome, RunOutcome::Stopped);
        QCOMPARE(stopped.early, EarlyEnd::Halving);
        QCOMPARE(stopped.state, RunState::Finished);
        QCOMPARE(stopped.message.english(),
            "Stopped by successive halving at step 7: with its best accuracy, 60.00 %, it is in "
            "place 4 of 9, and the best 3 go on.");
        QVERIFY(stopped.endedMs > 0);
        QCOMPARE(
            RunLogReader(file()).markers(runs[7]).back().text.code(), "sweep.stopped_by_halving");
    }

    void eachRungIsDecidedAndTheLastOneTrainsToItsEnd()
    {
        const std::vector<RunId> runs = add(9);
        for (const int accuracy : { 10, 90, 20, 80, 30, 70, 40, 60, 50 })
            trainNext(accuracy);
        for (const int accuracy : { 91, 93, 92 })
            trainNext(accuracy);
        const TakenRun last = m_queue->take().value();
        QCOMPARE(last.id, runs[3]);
        QCOMPARE(last.rung, 0);
        QCOMPARE(waiting(), std::vector<RunId> { runs[3] });
        QCOMPARE(recordOf(runs[1]).message.toJson()["runs"].get<int>(), 3);
        QCOMPARE(recordOf(runs[5]).message.toJson()["step"].get<int>(), 21);
    }

    void nobodyTakesARunThatWaitsAtItsRung()
    {
        const std::vector<RunId> runs = add(3);
        trainNext(1);
        trainNext(2);
        RunLogWriter other(file());
        const TakenRun last = RunQueue(other).take().value();
        QueueNews news;
        QVERIFY(!m_queue->take({}, &news));
        QVERIFY(news.awaitsRung);
        QVERIFY(news.stopped.empty());
        QVERIFY(waitsAtRung(recordOf(runs[0])));
        const std::string refusal = messageOf([&] { m_queue->take({ .only = runs[0] }); });
        QVERIFY2(refusal.find("waits at a rung") != std::string::npos, refusal.c_str());
        train(other, last, 3);
        QCOMPARE(m_queue->take().value().id, last.id);
    }

    void oneOfTwoWorkersDecides()
    {
        const std::vector<RunId> runs = add(3);
        for (const int accuracy : { 3, 2, 1 })
            trainNext(accuracy);
        RunLogWriter other(file());
        QueueNews here, there;
        QCOMPARE(m_queue->take({}, &here).value().id, runs[0]);
        QVERIFY(!RunQueue(other).take({}, &there));
        QCOMPARE(here.stopped.size(), 2U);
        QVERIFY(there.stopped.empty());
        QVERIFY(!there.awaitsRung); // the only one that is left is being trained
    }

    void aHeldRunIsAwaitedButNoWorkerStaysForIt()
    {
        const std::vector<RunId> runs = add(3);
        m_queue->hold({ runs[2] }, true);
        trainNext(1);
        trainNext(2);
        QueueNews news;
        QVERIFY(!m_queue->take({}, &news));
        QVERIFY(!news.awaitsRung);
        QVERIFY(news.stopped.empty());
        m_queue->remove({ runs[2] });
        QCOMPARE(m_queue->take().value().id, runs[1]);
    }

    void aRunThatIsHeldAtItsRungHasReachedIt()
    {
        const std::vector<RunId> runs = add(3);
        trainNext(3);
        m_queue->hold({ runs[0] }, true);
        trainNext(1);
        trainNext(2);
        QueueNews news;
        QVERIFY(!m_queue->take({}, &news));
        QCOMPARE(news.stopped, (std::vector<RunId> { runs[1], runs[2] }));
        QCOMPARE(waiting(), std::vector<RunId> { runs[0] });
    }

    void archivedRunsAreNotAwaited()
    {
        const std::vector<RunId> runs = add(3);
        m_log->setArchived(runs[2], true);
        trainNext(1);
        trainNext(2);
        QCOMPARE(m_queue->take().value().id, runs[1]);
    }

    void aRunWhoseWorkerDiedBeforeItsRungIsTrainedAgain()
    {
        const std::vector<RunId> runs = add(3);
        trainNext(1);
        trainNext(2);
        {
            RunLogWriter other(file());
            const TakenRun taken = RunQueue(other).take().value();
            emitUntil(beginIn(other, taken), taken, 3); // but not its end
            other.flush();
        }
        const TakenRun again = m_queue->take().value();
        QCOMPARE(again.id, runs[2]);
        QVERIFY(again.begun);
        QCOMPARE(again.rung, 7);
        train(*m_log, again, 3);
        QCOMPARE(m_queue->take().value().id, runs[2]);
    }

    // A signal came while it was evaluated.
    void aRunWithoutAnEvaluationHasNotReachedItsRung()
    {
        const std::vector<RunId> runs = add(3);
        trainNext(1);
        trainNext(2);
        const TakenRun taken = m_queue->take().value();
        EventSink& sink = beginIn(*m_log, taken);
        sink.emitEvent(stepAt(7));
        endAtRung(*m_log, sink, 7);
        const TakenRun again = m_queue->take().value();
        QCOMPARE(again.id, runs[2]);
        QCOMPARE(again.rung, 7);
    }

    // Of six entries two go on: the completed one, and the best of the others.
    void runsThatEndedBeforeARungCount()
    {
        const std::vector<RunId> runs = add(6);
        endNext(RunOutcome::Completed, 5, 99);
        endNext(RunOutcome::Diverged, 5, 10);
        for (const int accuracy : { 1, 2, 4, 3 })
            trainNext(accuracy);
        QueueNews news;
        QCOMPARE(m_queue->take({}, &news).value().id, runs[4]);
        QCOMPARE(news.stopped, (std::vector<RunId> { runs[2], runs[3], runs[5] }));
    }

    // At the second rung, one is left beside the completed one, which is better. The one that
    // diverged before the first rung does not count any more.
    void runsThatEndedBeforeAnEarlierRungCountIfTheyAreGood()
    {
        const std::vector<RunId> runs = add(6);
        endNext(RunOutcome::Completed, 5, 99);
        endNext(RunOutcome::Diverged, 5, 10);
        for (const int accuracy : { 1, 2, 4, 3 })
            trainNext(accuracy);
        trainNext(90);
        QueueNews news;
        QVERIFY(!m_queue->take({}, &news));
        QCOMPARE(news.stopped, std::vector<RunId> { runs[4] });
        QCOMPARE(recordOf(runs[4]).message.toJson()["runs"].get<int>(), 2);
    }

    void sweepsAreDecidedEachForItself()
    {
        const std::vector<RunId> first = add(3);
        const std::vector<RunId> second = add(3);
        for (const int accuracy : { 3, 2, 1 })
            trainNext(accuracy);
        trainNext(1);
        QCOMPARE(waiting(), (std::vector<RunId> { first[0], second[0], second[1], second[2] }));
    }

    void aSweepWhoseDefinitionIsDamagedStopsNothing()
    {
        add(3);
        execute(file(), "UPDATE sweeps SET definition = '{}'");
        for (const int accuracy : { 3, 2, 1 })
            trainNext(accuracy);
        QueueNews news;
        QCOMPARE(m_queue->take({}, &news).value().rung, 21);
        QVERIFY(news.stopped.empty());
        QCOMPARE(waiting().size(), 3U);
    }

    void nothingIsDecidedWhileTheQueueIsHeld()
    {
        add(3);
        for (const int accuracy : { 3, 2, 1 })
            trainNext(accuracy);
        m_queue->holdAll(true);
        QVERIFY(!m_queue->take());
        QCOMPARE(waiting().size(), 3U);
    }

    void whatWasStoppedIsResumedByHand()
    {
        const std::vector<RunId> runs = add(3);
        for (const int accuracy : { 3, 2, 1 })
            trainNext(accuracy);
        m_queue->take();
        m_log->resumeRun(runs[2], pointAfter(7));
        QCOMPARE(recordOf(runs[2]).early, EarlyEnd::None);
        m_log->sink(runs[2]).emitEvent(endAt(63));
        m_log->flush();
        QCOMPARE(recordOf(runs[2]).outcome, RunOutcome::Completed);
    }

    void rungsThatAreNoListAreNone_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
            { "x", "7,", "7,,21", ",7", "21,7", "0,7", "-1", "7;21", "7 ", "99999999999999999999" })
            QTest::newRow(text) << text;
    }
    void rungsThatAreNoListAreNone()
    {
        QFETCH(QString, text);
        const std::vector<RunId> runs = add(1);
        execute(file(), "UPDATE queue SET rungs = '" + text.toStdString() + "'");
        if (text == QLatin1String("7,"))
            QCOMPARE(recordOf(runs[0]).queue->rungs, std::vector<std::int64_t> { 7 });
        else
            QVERIFY(recordOf(runs[0]).queue->rungs.empty());
        execute(file(), "UPDATE queue SET rungs = '7,21'");
    }

private:
    std::filesystem::path file() const
    {
        return std::filesystem::path(m_folder->path().toStdString()) / "runs.db";
    }
    RunRecord recordOf(RunId run) const { return RunLogReader(file()).run(run); }

    std::vector<RunId> add(int runs)
    {
        const std::vector<RunToQueue> added(static_cast<std::size_t>(runs),
            RunToQueue { requireResolved(experimentNamed("sweep")), {}, {}, { 7, 21 } });
        return m_queue->add(added, SweepToQueue { "sweep", jsonOf(halvedBy(3)).dump() }).runs;
    }

    std::vector<RunId> waiting() const
    {
        std::vector<RunId> ids;
        for (const RunRecord& run : RunLogReader(file()).runs())
            if (run.queue)
                ids.push_back(run.id);
        std::sort(ids.begin(), ids.end());
        return ids;
    }

    EventSink& beginIn(RunLogWriter& log, const TakenRun& taken) const
    {
        if (taken.begun) {
            log.resumeRun(taken.id, pointAfter(recordOf(taken.id).step));
            return log.sink(taken.id);
        }
        log.beginQueued(taken.id, requireResolved(experimentNamed("sweep")));
        RunStarted start = startOf(experimentNamed("sweep"));
        start.totalSteps = 63;
        log.sink(taken.id).emitEvent(start);
        return log.sink(taken.id);
    }

    static void emitUntil(EventSink& sink, const TakenRun& taken, int percent)
    {
        sink.emitEvent(stepAt(taken.rung));
        sink.emitEvent(evaluationAt(taken.rung, 0.5, percent / 100.0));
    }
    static void endAtRung(RunLogWriter& log, EventSink& sink, std::int64_t step)
    {
        RunEnded end = endAt(step, RunOutcome::Stopped);
        end.staysQueued = true;
        sink.emitEvent(end);
        log.flush();
    }
    void train(RunLogWriter& log, const TakenRun& taken, int percent) const
    {
        EventSink& sink = beginIn(log, taken);
        emitUntil(sink, taken, percent);
        endAtRung(log, sink, taken.rung);
    }
    // Takes the next run, which trains until its rung.
    void trainNext(int percent) { train(*m_log, m_queue->take().value(), percent); }
    void endNext(RunOutcome outcome, std::int64_t step, int percent)
    {
        const TakenRun taken = m_queue->take().value();
        EventSink& sink = beginIn(*m_log, taken);
        sink.emitEvent(stepAt(step));
        sink.emitEvent(evaluationAt(step, 0.5, percent / 100.0));
        sink.emitEvent(endAt(step, outcome));
        m_log->flush();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogWriter> m_log;
    std::unique_ptr<RunQueue> m_queue;
};

QTEST_GUILESS_MAIN(TestSweepRungs)
#include "tst_sweep_rungs.moc"
