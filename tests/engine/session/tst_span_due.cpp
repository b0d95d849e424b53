// SPDX-License-Identifier: Apache-2.0
#include "engine/session/span_due.h"

#include <QTest>

using namespace accrue;

class TestSpanDue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEpochIsDueAtItsEnd()
    {
        const Span every { 1, Span::Unit::Epochs };
        QVERIFY(!isReached(every, nextDue(every), { .epochs = 0.99 }));
        QVERIFY(isReached(every, nextDue(every), { .epochs = 1 }));
        const double next = nextDue(every, { .epochs = 1 });
        QVERIFY(!isReached(every, next, { .epochs = 1.5 }));
        QVERIFY(isReached(every, next, { .epochs = 2 }));
    }

    void fractionsOfAnEpochDoNotDrift()
    {
        const Span every { 0.1, Span::Unit::Epochs };
        double next = nextDue(every);
        int times = 0;
        for (int step = 1; step <= 1000; ++step) {
            const RunProgress progress { .epochs = step / 100.0 };
            if (!isReached(every, next, progress))
                continue;
            QCOMPARE(step % 10, 0);
            next = nextDue(every, progress);
            ++times;
        }
        QCOMPARE(times, 100);
    }

    void spanPassedSeveralTimesIsDueOnce()
    {
        const Span every { 10, Span::Unit::Steps };
        QVERIFY(isReached(every, nextDue(every), { .steps = 35 }));
        const double next = nextDue(every, { .steps = 35 });
        QVERIFY(!isReached(every, next, { .steps = 39 }));
        QVERIFY(isReached(every, next, { .steps = 40 }));
    }

    void minutesAreTrainingTime()
    {
        const Span every { 0.5, Span::Unit::Minutes };
        QVERIFY(!isReached(every, nextDue(every), { .seconds = 29.9 }));
        QVERIFY(isReached(every, nextDue(every), { .seconds = 30 }));
    }
};

QTEST_GUILESS_MAIN(TestSpanDue)
#include "tst_span_due.moc"
