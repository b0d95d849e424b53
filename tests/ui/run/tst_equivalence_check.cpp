// SPDX-License-Identifier: Apache-2.0
#include "ui/run/equivalence_check.h"

#include "engine/runlog/run_log_writer.h"
#include "tests/support/example_log.h"
#include "tests/support/waiting.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <future>

using namespace accrue;

class TestEquivalenceCheck : public QObject {
    Q_OBJECT
private:
    // Two equal runs, of which the first `checkpoints` have saved one.
    RunPair write(int checkpoints)
    {
        RunLogWriter log(m_file);
        RunId ids[2] {};
        for (int i = 0; i < 2; ++i) {
            ExampleRunInLog run(log, {});
            run.advance(100);
            if (i < checkpoints)
                log.sink(run.id()).emitEvent(CheckpointSaved { 100, 1, "/saved/step-100" });
            run.end();
            ids[i] = run.id();
        }
        log.flush();
        return { ids[0], ids[1] };
    }

    EquivalenceAnswer answerNumber(int count)
    {
        EquivalenceAnswer last;
        QSignalSpy spy(&m_check, &EquivalenceCheck::answered);
        connect(&m_check, &EquivalenceCheck::answered, this,
            [&](const EquivalenceAnswer& answer) { last = answer; });
        [&] { QTRY_COMPARE(spy.count(), count); }();
        m_check.disconnect(this);
        return last;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_file;
    EquivalenceCheck m_check;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = m_folder->filePath(QStringLiteral("runs.db")).toStdString();
        m_check.setDistance({});
    }

    void lossesAreAnsweredOffTheGuiThread()
    {
        const RunPair runs = write(0);
        m_check.ask(m_file, runs);
        const EquivalenceAnswer answer = answerNumber(1);
        QCOMPARE(answer.runs, runs);
        QCOMPARE(answer.losses.verdict, Equivalence::Verdict::Equal);
        QCOMPARE(answer.losses.all.updates, 100);
        QVERIFY(!answer.parameters && answer.problem.isEmpty());
    }

    void parametersFollowWhereBothHaveACheckpoint()
    {
        m_check.setDistance([](const auto& a, const auto& b) {
            const Message problem = a == b ? Message() : Message::plain("other folders");
            return ParameterDistance { problem, 0.5, 10, 100, 100 };
        });
        m_check.ask(m_file, write(2));
        const EquivalenceAnswer answer = answerNumber(2);
        QVERIFY(answer.parameters);
        QVERIFY(answer.parameters->problem.empty());
        QCOMPARE(answer.parameters->relative, 0.5);
        m_check.ask(m_file, write(1)); // the other run has no checkpoint
        QVERIFY(!answerNumber(1).parameters);
    }

    void aLogThatIsNotThereIsAProblem()
    {
        m_check.ask(m_file, { RunId { 1 }, RunId { 2 } });
        QVERIFY(!answerNumber(1).problem.isEmpty());
    }

    void anAnswerToWhatIsNoLongerAskedIsDropped()
    {
        const RunPair runs = write(0);
        m_check.ask(m_file, runs);
        m_check.ask(m_file, { runs.b, runs.a });
        QCOMPARE(answerNumber(1).runs.a, runs.b);
        QSignalSpy spy(&m_check, &EquivalenceCheck::answered);
        m_check.ask(m_file, runs);
        m_check.forget();
        QTest::qWait(100);
        QCOMPARE(spy.count(), 0);
    }

    // Who changes the chosen runs again and again starts no thread for each choice.
    void oneComparisonIsMadeAtATimeAndTheLastOneIsAnswered()
    {
        std::atomic<int> comparing = 0;
        std::atomic<int> most = 0;
        std::promise<void> go;
        m_check.setDistance([&, went = go.get_future().share()](const auto&, const auto&) {
            const int now = ++comparing;
            most = std::max(most.load(), now);
            went.wait();
            --comparing;
            return ParameterDistance {};
        });
        const RunPair runs = write(2);
        m_check.ask(m_file, runs);
        QTRY_COMPARE(comparing.load(), 1);
        m_check.ask(m_file, runs);
        m_check.ask(m_file, { runs.b, runs.a });
        QTest::qWait(200);
        EquivalenceAnswer last;
        connect(&m_check, &EquivalenceCheck::answered, this,
            [&](const EquivalenceAnswer& answer) { last = answer; });
        go.set_value();
        QTRY_VERIFY(last.parameters);
        m_check.disconnect(this);
        QCOMPARE(last.runs.a, runs.b);
        QCOMPARE(most.load(), 1);
        m_check.setDistance({});
    }
};

QTEST_GUILESS_MAIN(TestEquivalenceCheck)
#include "tst_equivalence_check.moc"
