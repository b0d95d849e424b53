// SPDX-License-Identifier: Apache-2.0
#include "ui/run/task.h"

#include <QTest>
#include <QThread>

#include "tests/support/waiting.h"

#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace accrue;

class TestTask : public QObject {
    Q_OBJECT
private:
    // Work that waits for its gate, reports "name …" and ends with "name".
    Task::Work reporting(const std::string& name, std::shared_future<void> gate = {})
    {
        return [this, name, gate](const Task::Job& job) -> Task::News {
            if (gate.valid())
                gate.wait();
            job.post([this, name] { m_told.push_back(name + " …"); });
            return [this, name] { m_told.push_back(name); };
        };
    }
    Task::Failed problem()
    {
        return [this](const Message& what) { m_told.push_back("problem: " + what.english()); };
    }

    using Words = std::vector<std::string>;
    Words m_told; // on this thread

private Q_SLOTS:
    void init() { m_told.clear(); }

    void theResultComesOnTheOwnersThread()
    {
        Task task;
        QThread* workedOn = nullptr;
        QThread* toldOn = nullptr;
        const auto work = [&](const Task::Job&) -> Task::News {
            workedOn = QThread::currentThread();
            return [&] { toldOn = QThread::currentThread(); };
        };
        QVERIFY(!task.isRunning());
        task.start(work, problem());
        QVERIFY(task.isRunning());
        QTRY_VERIFY(toldOn != nullptr);
        QVERIFY(workedOn != QThread::currentThread());
        QCOMPARE(toldOn, QThread::currentThread());
    }

    void progressComesInOrderAndBeforeTheResult()
    {
        Task task;
        const auto work = [this](const Task::Job& job) -> Task::News {
            for (int i = 0; i < 100; ++i)
                job.post([this, i] { m_told.push_back(std::to_string(i)); });
            return [this] { m_told.emplace_back("done"); };
        };
        task.start(work, problem());
        QTRY_COMPARE(m_told.size(), std::size_t { 101 });
        for (int i = 0; i < 100; ++i)
            QCOMPARE(m_told[static_cast<std::size_t>(i)], std::to_string(i));
        QCOMPARE(m_told.back(), std::string("done"));
    }

    void itIsNotRunningAnyMoreWhenItsResultComes()
    {
        Task task;
        const auto work = [&](const Task::Job&) -> Task::News {
            return [&] {
                m_told.emplace_back(task.isRunning() ? "runs" : "ended");
                if (m_told.size() == 1)
                    task.start(reporting("next"), problem());
            };
        };
        task.start(work, problem());
        QTRY_COMPARE(m_told, (Words { "ended", "next …", "next" }));
        QVERIFY(!task.isRunning());
    }

    void workThatReturnsNothingEnds()
    {
        Task task;
        task.start([](const Task::Job&) { return Task::News(); }, problem());
        QTRY_VERIFY(!task.isRunning());
        QVERIFY(m_told.empty());
    }

    void cancelReachesTheWorkWhoseResultStillComes()
    {
        Task task;
        const auto work = [this](const Task::Job& job) -> Task::News {
            std::promise<void> stopped;
            const std::stop_callback onStop(job.stopToken(), [&] { stopped.set_value(); });
            stopped.get_future().wait();
            return [this, seen = job.isCancelled()] {
                m_told.emplace_back(seen ? "cancelled" : "whole");
            };
        };
        task.start(work, problem());
        task.cancel();
        task.cancel();
        QTRY_COMPARE(m_told, Words { "cancelled" });
        task.cancel(); // there is nothing to cancel
        QVERIFY(!task.isRunning());
    }

    void aRestartDropsTheOlderResult()
    {
        Task task;
        std::promise<void> let;
        std::atomic<bool> cancelled { false };
        const auto older = [&, held = reporting("older", let.get_future().share())](
                               const Task::Job& job) -> Task::News {
            Task::News end = held(job);
            cancelled = job.isCancelled();
            return end;
        };
        task.start(older, problem());
        task.start(reporting("newer"), problem());
        QTRY_COMPARE(m_told, (Words { "newer …", "newer" })); // it did not wait for the older one
        let.set_value();
        QTRY_VERIFY(cancelled);
        QTest::qWait(50);
        QCOMPARE(m_told.size(), std::size_t { 2 });
    }

    void whatIsUnderWayWhenItIsDroppedIsNotDelivered()
    {
        Task task;
        std::promise<void> let;
        task.start(reporting("dropped", let.get_future().share()), problem());
        task.drop();
        QVERIFY(!task.isRunning());
        let.set_value();
        QTest::qWait(50);
        QVERIFY(m_told.empty());
        task.start(reporting("asked"), problem());
        QTRY_COMPARE(m_told, (Words { "asked …", "asked" }));
    }

    void whatIsQueuedAlreadyIsDroppedToo()
    {
        std::promise<void> posted;
        Task task;
        const auto work = [this, &posted](const Task::Job& job) -> Task::News {
            job.post([this] { m_told.emplace_back("queued"); });
            posted.set_value();
            return {};
        };
        task.start(work, problem());
        posted.get_future().wait();
        task.drop();
        QTest::qWait(50);
        QVERIFY(m_told.empty());
    }

    void aTaskThatIsGoneHasEndedItsWorkAndTellsNothing()
    {
        std::atomic<int> ended { 0 };
        const auto work = [&](const Task::Job& job) -> Task::News {
            while (!job.isCancelled())
                std::this_thread::yield();
            ++ended;
            job.post([this] { m_told.emplace_back("too late"); });
            return [this] { m_told.emplace_back("too late"); };
        };
        auto task = std::make_unique<Task>();
        task->start(work, problem());
        task->start(work, problem()); // the first one is joined, too
        task.reset();
        QCOMPARE(ended.load(), 2);
        QTest::qWait(50);
        QVERIFY(m_told.empty());
    }

    void aResultMayDestroyItsTask()
    {
        auto task = std::make_unique<Task>();
        const auto work = [&](const Task::Job&) -> Task::News {
            return [&] {
                task.reset();
                m_told.emplace_back("gone");
            };
        };
        task->start(work, problem());
        QTRY_COMPARE(m_told, Words { "gone" });
        QVERIFY(task == nullptr);
    }

    void anExceptionIsTheProblemInPlaceOfTheResult()
    {
        Task task;
        const auto work = [this](const Task::Job& job) -> Task::News {
            job.post([this] { m_told.emplace_back("half"); });
            throw std::runtime_error("The disk is full.");
        };
        task.start(work, problem());
        QTRY_COMPARE(m_told, (Words { "half", "problem: The disk is full." }));
        QVERIFY(!task.isRunning());
        task.start(reporting("again"), problem());
        QTRY_COMPARE(m_told.size(), std::size_t { 4 });
    }

    void aDroppedExceptionIsNoProblem()
    {
        Task task;
        std::promise<void> let;
        const auto work = [held = let.get_future().share()](const Task::Job&) -> Task::News {
            held.wait();
            throw std::runtime_error("Nobody asks.");
        };
        task.start(work, problem());
        task.drop();
        let.set_value();
        QTest::qWait(50);
        QVERIFY(m_told.empty());
    }
};

QTEST_GUILESS_MAIN(TestTask)
#include "tst_task.moc"
