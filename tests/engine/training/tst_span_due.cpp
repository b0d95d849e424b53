// SPDX-License-Identifier: Apache-2.0
#include "engine/training/span_due.h"

#include <QTest>

using namespace accrue;

class TestSpanDue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEpochIsDueAtItsEnd()
    {
        SpanDue due({ 1, Span::Unit::Epochs });
        QVERIFY(!due.reached({ .epochs = 0.99 }));
        QVERIFY(due.reached({ .epochs = 1 }));
        due.done({ .epochs = 1 });
        QVERIFY(!due.reached({ .epochs = 1.5 }));
        QVERIFY(due.reached({ .epochs = 2 }));
    }

    void fractionsOfAnEpochDoNotDrift()
    {
        SpanDue due({ 0.1, Span::Unit::Epochs });
        int times = 0;
        for (int step = 1; step <= 1000; ++step) {
            const RunProgress progress { .epochs = step / 100.0 };
            if (!due.reached(progress))
                continue;
            QCOMPARE(step % 10, 0);
            due.done(progress);
            ++times;
        }
        QCOMPARE(times, 100);
    }

    void spanPassedSeveralTimesIsDueOnce()
    {
        SpanDue due({ 10, Span::Unit::Steps });
        QVERIFY(due.reached({ .steps = 35 }));
        due.done({ .steps = 35 });
        QVERIFY(!due.reached({ .steps = 39 }));
        QVERIFY(due.reached({ .steps = 40 }));
    }

    void minutesAreTrainingTime()
    {
        const SpanDue due({ 0.5, Span::Unit::Minutes });
        QVERIFY(!due.reached({ .seconds = 29.9 }));
        QVERIFY(due.reached({ .seconds = 30 }));
    }
};

QTEST_GUILESS_MAIN(TestSpanDue)
#include "tst_span_due.moc"
