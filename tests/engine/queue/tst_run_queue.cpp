// SPDX-License-Identifier: Apache-2.0
// The queue of a log, changed and emptied by several writers. Two writers in one process exclude
// each other like two processes: locks belong to open files.
#include "run_log_fixture.h"

#include "engine/queue/run_queue.h"
#include "engine/runlog/run_log_reader.h"

#include <algorithm>
#include <array>
#include <set>
#include <thread>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;

class TestRunQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void showsWaitingRunsAsQueued();
    void handsOutRunsInTheirOrder();
    void handsOutEachRunToOneWorkerOnly();
    void aRunThatEndsLeavesTheQueue();
    void aRunThatIsOnlyInterruptedWaitsAgain();
    void aRunWhoseWorkerDiedComesFirst();
    void aRunWhoseWorkersDiedTwiceIsHeld();
    void heldRunsAreNotHandedOut();
    void nothingIsHandedOutWhileAllIsHeld();
    void runNextTakesAHeldRun();
    void movesRuns_data();
    void movesRuns();
    void movesRunsBeforeAnother();
    void canMoveRunsBetweenTwoNeighboursForever();
    void removingDeletesWhatNobodyBegan();
    void removingKeepsWhatWasTrained();
    void refusesWhatHasLeftTheQueue();
    void twoWindowsMayEditItAtOnce();
    void aWaitingRunIsNotResumedByHand();
    void aRunThatCannotBeginFails();
    void asksTheWorkerToStopARun();
    void aRunThatWasPutBackWaits();
    void storesTheSweepOfItsRuns();
    void aSweepEndsWithItsLastRun();
    void isEmptyInOlderLogs();

private:
    std::filesystem::path file() const
    {
        return std::filesystem::path(m_folder->path().toStdString()) / "runs.db";
    }
    std::vector<RunId> add(int runs);
    std::vector<RunId> waiting();
    RunId begin(RunLogWriter& log, RunId run);
    std::string nextNames(int count);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogWriter> m_log;
    std::unique_ptr<RunQueue> m_queue;
};

namespace {

RunToQueue runNamed(const std::string& name)
{
    return { requireResolved(experimentNamed(name)), 4096.0, 2.5 };
}

bool isClean(const std::filesystem::path& file)
{
    RunLogReader reader(file);
    for (const RunRecord& run : reader.runs(RunLogReader::Archived::Show))
        for (const CheckedTable table : checkedTables())
            if (!reader.damageIn(run.id, table).damage.empty())
                return false;
    return true;
}

} // namespace

void TestRunQueue::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_log = std::make_unique<RunLogWriter>(file());
    m_queue = std::make_unique<RunQueue>(*m_log);
}

void TestRunQueue::cleanup()
{
    QVERIFY(isClean(file()));
    m_queue.reset();
    m_log.reset();
    m_folder.reset();
}

std::vector<RunId> TestRunQueue::add(int runs)
{
    std::vector<RunToQueue> added;
    added.reserve(static_cast<std::size_t>(runs));
    for (int i = 0; i < runs; ++i)
        added.push_back(runNamed(std::string(1, static_cast<char>('a' + i))));
    return m_queue->add(added).runs;
}

// In the order in which they would be trained.
std::vector<RunId> TestRunQueue::waiting()
{
    std::vector<RunRecord> runs = RunLogReader(file()).runs();
    std::erase_if(runs, [](const RunRecord& run) { return !run.queue; });
    std::sort(runs.begin(), runs.end(), [](const RunRecord& a, const RunRecord& b) {
        return a.queue->position < b.queue->position;
    });
    std::vector<RunId> ids;
    ids.reserve(runs.size());
    for (const RunRecord& run : runs)
        ids.push_back(run.id);
    return ids;
}

RunId TestRunQueue::begin(RunLogWriter& log, RunId run)
{
    log.beginQueued(run, requireResolved(experimentNamed("begun")));
    EventSink& sink = log.sink(run);
    sink.emitEvent(startOf(experimentNamed("begun")));
    sink.emitEvent(stepAt(1));
    log.flush();
    return run;
}

// "bca": the names of the next runs, which are taken.
std::string TestRunQueue::nextNames(int count)
{
    std::string names;
    for (int i = 0; i < count; ++i)
        if (const auto taken = m_queue->take())
            names += RunLogReader(file()).run(taken->id).name;
    return names;
}

void TestRunQueue::showsWaitingRunsAsQueued()
{
    const std::vector<RunId> runs = add(2);
    const RunRecord run = RunLogReader(file()).run(runs.at(0));
    QCOMPARE(run.state, RunState::Queued);
    QCOMPARE(run.name, "a");
    QVERIFY(run.queue.has_value());
    QCOMPARE(run.queue->predictedBytes, 4096.0);
    QCOMPARE(run.queue->predictedSeconds, 2.5);
    QVERIFY(!run.queue->held);
    QCOMPARE(run.plan.micro, requireResolved(experimentNamed("a")).plan.micro);
}

void TestRunQueue::handsOutRunsInTheirOrder()
{
    add(3);
    QCOMPARE(nextNames(4), "abc");
}

void TestRunQueue::handsOutEachRunToOneWorkerOnly()
{
    const std::vector<RunId> runs = add(20);
    RunLogWriter other(file());
    RunQueue otherQueue(other);
    std::set<RunId> taken;
    for (int i = 0; i < 10; ++i)
        for (RunQueue* queue : { m_queue.get(), &otherQueue })
            QVERIFY(taken.insert(queue->take().value().id).second);
    QVERIFY(!m_queue->take().has_value());
    QVERIFY(!otherQueue.take().has_value());
    QCOMPARE(taken.size(), runs.size());
}

void TestRunQueue::aRunThatEndsLeavesTheQueue()
{
    const std::vector<RunId> runs = add(2);
    begin(*m_log, m_queue->take().value().id);
    QCOMPARE(RunLogReader(file()).run(runs[0]).state, RunState::Running);
    m_log->sink(runs[0]).emitEvent(endAt(1, RunOutcome::Stopped));
    m_log->flush();
    QCOMPARE(RunLogReader(file()).run(runs[0]).state, RunState::Finished);
    QCOMPARE(waiting(), std::vector<RunId> { runs[1] });
}

void TestRunQueue::aRunThatIsOnlyInterruptedWaitsAgain()
{
    const std::vector<RunId> runs = add(2);
    begin(*m_log, m_queue->take().value().id);
    RunEnded end = endAt(1, RunOutcome::Stopped);
    end.staysQueued = true;
    m_log->sink(runs[0]).emitEvent(end);
    m_log->flush();
    const RunRecord run = RunLogReader(file()).run(runs[0]);
    QCOMPARE(run.state, RunState::Queued);
    QCOMPARE(run.step, 1);
    const TakenRun taken = m_queue->take().value();
    QCOMPARE(taken.id, runs[0]);
    QVERIFY(taken.begun);
    m_log->resumeRun(taken.id, pointAfter(1));
    m_log->sink(taken.id).emitEvent(endAt(1));
    m_log->flush();
    QCOMPARE(RunLogReader(file()).run(runs[0]).outcome, RunOutcome::Completed);
    QCOMPARE(waiting(), std::vector<RunId> { runs[1] });
}

void TestRunQueue::aRunWhoseWorkerDiedComesFirst()
{
    const std::vector<RunId> runs = add(3);
    m_queue->take();
    {
        RunLogWriter other(file());
        begin(other, RunQueue(other).take().value().id);
    }
    QCOMPARE(RunLogReader(file()).run(runs[1]).state, RunState::Interrupted);
    m_queue->putBack(runs[0]);
    const TakenRun taken = m_queue->take().value();
    QCOMPARE(taken.id, runs[1]);
    QVERIFY(taken.begun);
    QVERIFY(!m_queue->take().value().begun);
}

void TestRunQueue::aRunWhoseWorkersDiedTwiceIsHeld()
{
    const std::vector<RunId> runs = add(2);
    for (int death = 0; death < 2; ++death) {
        RunLogWriter other(file());
        const TakenRun taken = RunQueue(other).take().value();
        QCOMPARE(taken.id, runs[0]);
        if (taken.begun)
            other.resumeRun(taken.id, pointAfter(1));
        else
            begin(other, taken.id);
    }
    QCOMPARE(m_queue->take().value().id, runs[1]);
    RunLogReader reader(file());
    QVERIFY(reader.run(runs[0]).queue->held);
    QCOMPARE(reader.markers(runs[0]).back().text.code(), "queue.workers_died");
    m_queue->hold({ runs[0] }, false);
    QCOMPARE(m_queue->take().value().id, runs[0]);
}

void TestRunQueue::heldRunsAreNotHandedOut()
{
    const std::vector<RunId> runs = add(3);
    m_queue->hold({ runs[0], runs[1] }, true);
    QCOMPARE(nextNames(3), "c");
    m_queue->hold({ runs[1] }, false);
    QCOMPARE(nextNames(3), "b");
}

void TestRunQueue::nothingIsHandedOutWhileAllIsHeld()
{
    add(1);
    m_queue->holdAll(true);
    QVERIFY(RunLogReader(file()).queueState().held);
    QVERIFY(!m_queue->take().has_value());
    m_queue->holdAll(false);
    QVERIFY(!RunLogReader(file()).queueState().held);
    QVERIFY(m_queue->take().has_value());
}

void TestRunQueue::runNextTakesAHeldRun()
{
    const std::vector<RunId> runs = add(3);
    m_queue->hold({ runs[2] }, true);
    m_queue->holdAll(true);
    QCOMPARE(m_queue->take({ .only = runs[2] }).value().id, runs[2]);
}

void TestRunQueue::movesRuns_data()
{
    QTest::addColumn<QList<int>>("moved");
    QTest::addColumn<int>("place");
    QTest::addColumn<QString>("order");
    const auto row = [](const QList<int>& moved, RunQueue::Place place, const char* order) {
        QTest::newRow(order) << moved << static_cast<int>(place) << QString(order);
    };
    using Place = RunQueue::Place;
    row({ 3 }, Place::First, "dabce");
    row({ 2 }, Place::Earlier, "acbde");
    row({ 1 }, Place::Later, "acbde ");
    row({ 0 }, Place::Last, "bcdea");
    row({ 0 }, Place::First, "abcde");
    row({ 0 }, Place::Earlier, "abcde ");
    row({ 4 }, Place::Later, "abcde  ");
    row({ 1, 3 }, Place::First, "bdace");
    row({ 1, 3 }, Place::Last, "acebd");
    row({ 1, 2 }, Place::Earlier, "bcade");
    row({ 1, 2 }, Place::Later, "adbce");
}

void TestRunQueue::movesRuns()
{
    QFETCH(QList<int>, moved);
    QFETCH(int, place);
    QFETCH(QString, order);
    const std::vector<RunId> runs = add(5);
    std::vector<RunId> chosen;
    for (const int index : moved)
        chosen.push_back(runs.at(static_cast<std::size_t>(index)));
    m_queue->move(chosen, static_cast<RunQueue::Place>(place));
    QCOMPARE(QString::fromStdString(nextNames(5)), order.trimmed());
}

void TestRunQueue::movesRunsBeforeAnother()
{
    const std::vector<RunId> runs = add(5);
    m_queue->moveBefore({ runs[4], runs[0] }, runs[2]);
    QCOMPARE(nextNames(5), "beacd");
}

void TestRunQueue::canMoveRunsBetweenTwoNeighboursForever()
{
    const std::vector<RunId> runs = add(4);
    for (int i = 0; i < 200; ++i)
        m_queue->moveBefore({ runs[static_cast<std::size_t>(2 + i % 2)] }, runs[1]);
    QCOMPARE(nextNames(4), "acdb");
}

void TestRunQueue::removingDeletesWhatNobodyBegan()
{
    const std::vector<RunId> runs = add(2);
    QCOMPARE(m_queue->remove({ runs[0] }), std::vector<RunId> { runs[0] });
    RunLogReader reader(file());
    QCOMPARE(reader.runs().size(), 1U);
    QCOMPARE(waiting(), std::vector<RunId> { runs[1] });
}

void TestRunQueue::removingKeepsWhatWasTrained()
{
    const std::vector<RunId> runs = add(2);
    {
        RunLogWriter other(file());
        begin(other, RunQueue(other).take().value().id);
    }
    m_queue->remove({ runs[0] });
    QCOMPARE(RunLogReader(file()).run(runs[0]).step, 1);
    QCOMPARE(waiting(), std::vector<RunId> { runs[1] });
}

void TestRunQueue::refusesWhatHasLeftTheQueue()
{
    const std::vector<RunId> runs = add(3);
    begin(*m_log, m_queue->take().value().id);
    const std::string refusal =
        messageOf([&] { m_queue->move({ runs[0] }, RunQueue::Place::Last); });
    QVERIFY2(
        refusal.find("does not wait in the queue any more") != std::string::npos, refusal.c_str());
    QCOMPARE(messageOf([&] { m_queue->moveBefore({ runs[1] }, runs[0]); }), refusal);
    QCOMPARE(messageOf([&] { m_queue->hold({ runs[1], runs[0] }, true); }), refusal);
    // All or nothing.
    QVERIFY(!RunLogReader(file()).run(runs[1]).queue->held);
    // One that is being trained is left alone.
    QVERIFY(m_queue->remove({ runs[0] }).empty());
}

// Both move and hold all runs all the time, and remove others that the other one still moves.
void TestRunQueue::twoWindowsMayEditItAtOnce()
{
    const std::vector<RunId> runs = add(12);
    std::array<int, 2> refused {};
    const auto edit = [&](std::size_t window) {
        RunLogWriter log(file());
        RunQueue queue(log);
        for (std::size_t turn = 0; turn < 60; ++turn) {
            const RunId run = runs[(turn * 5 + window * 7) % runs.size()];
            try {
                if (turn % 20 == 19)
                    queue.remove({ runs[turn / 20 + window * 3] });
                else if (turn % 3 == 0)
                    queue.hold({ run }, turn % 2 == 0);
                else
                    queue.move({ run }, static_cast<RunQueue::Place>(turn % 4));
            } catch (const RunLogError& error) {
                refused[window] += error.message().code() == "queue.not_waiting" ? 1 : 1000;
            }
        }
    };
    std::thread other(edit, 1);
    edit(0);
    other.join();
    // Each removed its own three, and the other one was told so at most.
    QVERIFY2(refused[0] < 1000 && refused[1] < 1000, "refused for another reason");
    std::vector<RunId> left = waiting();
    std::sort(left.begin(), left.end());
    QCOMPARE(left, std::vector<RunId>(runs.begin() + 6, runs.end()));
    QVERIFY(isClean(file()));
}

void TestRunQueue::aWaitingRunIsNotResumedByHand()
{
    const std::vector<RunId> runs = add(1);
    const std::string refusal = messageOf([&] { m_log->resumeRun(runs[0], {}); });
    QVERIFY2(refusal.find("waits in the queue") != std::string::npos, refusal.c_str());
}

void TestRunQueue::aRunThatCannotBeginFails()
{
    const std::vector<RunId> runs = add(1);
    m_queue->take();
    m_queue->fail(runs[0], Message::plain("The data are not there."));
    const RunRecord run = RunLogReader(file()).run(runs[0]);
    QCOMPARE(run.outcome, RunOutcome::Failed);
    QCOMPARE(run.message.english(), "The data are not there.");
    QCOMPARE(run.state, RunState::Finished);
    QVERIFY(waiting().empty());
}

void TestRunQueue::asksTheWorkerToStopARun()
{
    const std::vector<RunId> runs = add(2);
    m_queue->requestStop(runs[0]); // no worker trains it
    begin(*m_log, m_queue->take().value().id);
    QVERIFY(RunLogReader(file()).queueState().toStop.empty());
    RunLogWriter window(file());
    RunQueue(window).requestStop(runs[0]);
    QCOMPARE(RunLogReader(file()).queueState().toStop, std::vector { runs[0] });
    m_queue->take(); // its worker still loads the data
    RunQueue(window).requestStop(runs[1]);
    QCOMPARE(RunLogReader(file()).queueState().toStop, runs);
}

void TestRunQueue::aRunThatWasPutBackWaits()
{
    const std::vector<RunId> runs = add(2);
    m_queue->take();
    m_queue->putBack(runs[0]);
    QCOMPARE(RunLogReader(file()).run(runs[0]).state, RunState::Queued);
    QCOMPARE(nextNames(2), "ab");
}

void TestRunQueue::storesTheSweepOfItsRuns()
{
    const QueuedRuns added =
        m_queue->add({ runNamed("a"), runNamed("b") }, SweepToQueue { "my sweep", "{\"n\": 2}" });
    RunLogReader reader(file());
    const std::vector<SweepRecord> sweeps = reader.queueState().sweeps;
    QCOMPARE(sweeps.size(), 1U);
    QCOMPARE(sweeps[0].id, added.sweep);
    QCOMPARE(sweeps[0].name, "my sweep");
    QCOMPARE(sweeps[0].definition, "{\"n\": 2}");
    for (const RunId run : added.runs)
        QCOMPARE(reader.run(run).sweep, added.sweep);
    execute(file(), "UPDATE sweeps SET definition = '{\"n\": 3}'");
    QCOMPARE(RunLogReader(file()).queueState().sweeps[0].definition,
        ""); // nothing wrong is shown as right
}

void TestRunQueue::aSweepEndsWithItsLastRun()
{
    const QueuedRuns added =
        m_queue->add({ runNamed("a"), runNamed("b") }, SweepToQueue { "s", "{}" });
    m_queue->remove({ added.runs[0] });
    QCOMPARE(RunLogReader(file()).queueState().sweeps.size(), 1U);
    m_log->prune({ added.runs[1] }, Prunable::Any);
    QVERIFY(RunLogReader(file()).queueState().sweeps.empty());
}

void TestRunQueue::isEmptyInOlderLogs()
{
    const std::filesystem::path old = file().parent_path() / "old.db";
    makeLogOfFormat5(old);
    RunLogReader reader(old);
    QVERIFY(!reader.queueState().held);
    QVERIFY(reader.queueState().sweeps.empty());
    for (const RunRecord& run : reader.runs(RunLogReader::Archived::Show)) {
        QVERIFY(!run.queue.has_value());
        QCOMPARE(run.source, RunSource::Accrue);
    }
}

QTEST_GUILESS_MAIN(TestRunQueue)
#include "tst_run_queue.moc"
