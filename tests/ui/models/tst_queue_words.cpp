// SPDX-License-Identifier: Apache-2.0
#include "ui/models/queue_words.h"

#include <QTest>

#include "run_records.h"
#include "ui/models/run_columns.h"

#include <algorithm>

using namespace accrue;

namespace {

// A run of a sweep that is halved after 40 and after 120 of 360 updates.
RunRecord queued(std::int64_t id, std::int64_t rung = 0, bool atRung = false)
{
    RunRecord run;
    run.id = RunId { id };
    run.name = "run";
    run.state = RunState::Queued;
    run.totalSteps = 360;
    run.sweep = 1;
    run.queue = QueuePlace { .position = static_cast<double>(id),
        .begun = atRung,
        .rungs = { 40, 120 },
        .rung = rung,
        .atRung = atRung,
        .predictedBytes = {},
        .predictedSeconds = 60.0 };
    if (atRung) {
        run.step = run.queue->rungs.at(static_cast<std::size_t>(rung));
        run.state = RunState::Interrupted;
    }
    return run;
}

} // namespace

class TestQueueWords : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRunAtARungSaysForHowManyItWaits()
    {
        const std::vector<RunRecord> queue { queued(1, 0, true), queued(2, 0, true), queued(3),
            queued(4), queued(5) };
        QCOMPARE(queueStateText(queue[0], queue), QStringLiteral("at rung 1 of 2, awaits 3 runs"));
        const QString meaning = queueStateMeaning(queue[0], queue);
        QVERIFY2(meaning.contains(QStringLiteral("has trained 40 updates")), qPrintable(meaning));
        QVERIFY2(meaning.contains(QStringLiteral("#3, #4, #5")), qPrintable(meaning));
        // One that has passed it is not awaited, and neither is one of another sweep.
        std::vector<RunRecord> others { queued(1, 0, true), queued(2, 1), queued(3) };
        others[2].sweep = 2;
        QCOMPARE(queueStateText(others[0], others), QStringLiteral("at rung 1 of 2"));
    }

    void whatBlocksARungIsNamed()
    {
        std::vector<RunRecord> queue { queued(1, 0, true), queued(2), queued(3) };
        queue[2].queue->held = true;
        const QString meaning = queueStateMeaning(queue[0], queue);
        QVERIFY2(meaning.contains(QStringLiteral("these are held: #3.")), qPrintable(meaning));
        QCOMPARE(queueStateText(queue[2], queue), QStringLiteral("held"));
        queue[2].queue->failures = 2;
        QCOMPARE(queueStateText(queue[2], queue), QStringLiteral("held after 2 interruptions"));
    }

    void aRunThatWaitsForItsTurnNamesItsNextRung()
    {
        const std::vector<RunRecord> queue { queued(1), queued(2, 2) };
        QVERIFY2(queueStateText(queue[0], queue).endsWith(QStringLiteral(", before rung 1 of 2")),
            qPrintable(queueStateText(queue[0], queue)));
        QVERIFY(queueStateMeaning(queue[0], queue).startsWith(QStringLiteral("After 40 updates")));
        QVERIFY(queueStateText(queue[1], queue).endsWith(QStringLiteral(", past all rungs")));
        QVERIFY(queueStateMeaning(queue[1], queue).isEmpty());
        RunRecord alone = queued(3);
        alone.queue->rungs.clear();
        QCOMPARE(queueStateText(alone, { alone }), QStringLiteral("queued"));
    }

    void whatHalvingHasStoppedIsCountedWithItsReasons()
    {
        std::vector<RunRecord> runs { queued(1, 1) };
        for (std::int64_t id = 2; id < 4; ++id) {
            RunRecord& stopped = runs.emplace_back(queued(id));
            stopped.queue.reset();
            stopped.state = RunState::Finished;
            stopped.early = EarlyEnd::Halving;
            stopped.message = Message::plain("Only 0.5.");
        }
        QCOMPARE(halvedText(runs), QStringLiteral("2 stopped by halving"));
        QVERIFY2(halvedMeaning(runs).contains(QStringLiteral("#3: Only 0.5.")),
            qPrintable(halvedMeaning(runs)));
        runs.erase(runs.begin()); // its sweep has ended
        QVERIFY(halvedText(runs).isEmpty());
    }

    void theStripCountsWhatWaitsAndUntilWhen()
    {
        QVERIFY(queuedText({}).isEmpty());
        QVERIFY(queuedText({ .training = 1, .seconds = 60 }).isEmpty());
        QCOMPARE(
            queuedText({ .waiting = 2, .unknown = 1, .seconds = 60 }), QStringLiteral("2 queued"));
        QCOMPARE(queuedText({ .waiting = 2, .seconds = 60 }), QStringLiteral("2 queued")); // rests
        const QString known =
            queuedText({ .waiting = 2, .held = 1, .training = 1, .seconds = 3600 });
        QVERIFY2(known.startsWith(QStringLiteral("3 queued, until ")), qPrintable(known));
        QCOMPARE(queuedText({ .held = 1 }), QStringLiteral("1 queued"));
        QCOMPARE(queuedText({ .waiting = 2, .training = 1, .seconds = 3600, .isHeld = true }),
            QStringLiteral("2 queued, held"));
    }

    void thePanelTellsOnlyWhatThereIs()
    {
        // No end is promised to a queue of which nothing is taken.
        QCOMPARE(outlookText({ .waiting = 1, .training = 1, .seconds = 90, .isHeld = true }),
            QStringLiteral("The queue is held · 1 run is training · 1 waits · 1:30 left"));
        QCOMPARE(outlookText({ .waiting = 2, .held = 1, .unknown = 2 }),
            QStringLiteral("2 wait · 1 held · 2 of unknown length"));
        QCOMPARE(
            outlookText({ .waiting = 1, .seconds = 90 }), QStringLiteral("1 waits · 1:30 left"));
        const QString training =
            outlookText({ .held = 1, .atRung = 2, .training = 2, .seconds = 180 });
        QVERIFY2(training.startsWith(QStringLiteral(
                     "2 runs are training · 1 held · 2 at a rung · 1:30 left, until ")),
            qPrintable(training)); // by two at once
    }

    void aRunThatNobodyHasBegunHasNoTime()
    {
        QCOMPARE(trainedText(queued(1)), QStringLiteral("–"));
        RunRecord run = queued(1, 0, true);
        run.seconds = 2;
        QCOMPARE(trainedText(run), QStringLiteral("0:02.0"));
    }
};

QTEST_GUILESS_MAIN(TestQueueWords)
#include "tst_queue_words.moc"
