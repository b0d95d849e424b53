// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/window_traffic.h"

#include <cmath>

#include <QTest>

using namespace accrue;

namespace {

// Four ranks, three steps, 4,000 bytes of gradients.
ScalingPoint point(Sharding sharding, bool everyMicroBatch = false)
{
    ScalingPoint one { 4, 3, everyMicroBatch, 4000, 0 };
    one.sharding = sharding;
    return one;
}

ScalingPoint inChunks(std::int64_t chunks, double keptBytes)
{
    ScalingPoint one = point(Sharding::Parameters);
    one.chunks = chunks;
    one.keptBytes = keptBytes;
    return one;
}

bool isNear(double found, double wanted)
{
    return std::abs(found - wanted) <= 1e-9 * wanted;
}

} // namespace

// All wanted values are computed by hand from the formulas of the papers.
class TestWindowTraffic : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRankSendsThePartsOfTheOthers_data()
    {
        QTest::addColumn<ScalingPoint>("wanted");
        QTest::addColumn<double>("bytes");
        QTest::addColumn<qint64>("calls");
        // 3 parts of 1,000 bytes in each phase.
        QTest::newRow("an all-reduce per window") << point(Sharding::None) << 6000. << qint64(3);
        QTest::newRow("an all-reduce per micro-batch")
            << point(Sharding::None, true) << 18000. << qint64(5);
        QTest::newRow("reduced to parts, updated, gathered")
            << point(Sharding::Optimizer) << 6000. << qint64(5);
        QTest::newRow("the same, with an all-reduce per micro-batch")
            << point(Sharding::Optimizer, true) << 21000. << qint64(7);
        // Two chunks, of which the last has 1,000 bytes: 3 · 3 · 3,000 − 3 · 3/4 · 1,000 bytes.
        QTest::newRow("parameters gathered twice, gradients reduced to parts, per micro-batch")
            << inChunks(2, 1000) << 24750. << qint64(18);
        // All in one chunk: gathered once, and its gradients reduced, in each micro-batch.
        QTest::newRow("parameters in one chunk") << inChunks(1, 4000) << 18000. << qint64(9);
    }

    void aRankSendsThePartsOfTheOthers()
    {
        QFETCH(ScalingPoint, wanted);
        QFETCH(double, bytes);
        QFETCH(qint64, calls);
        QVERIFY(isNear(bytesSent(wanted), bytes));
        QCOMPARE(collectives(wanted), calls);
    }

    // The gradient: 2 · 3 messages. The agreement, figures and verdict: one to the first rank and
    // two down the tree. The first rank gets 3 · 144 bytes of an agreement, and sends 2 · 144.
    void messagesFollowEachOther()
    {
        const WindowTraffic none = trafficOf(point(Sharding::None));
        QVERIFY(isNear(none.between.messages, 6 + 3 * 3));
        QVERIFY(isNear(none.between.bytes, 6000 + 5 * 144));
        QCOMPARE(none.within.messages, 0.0);
    }

    // Three micro-batches of 5 + 5 − 1 gathers and 5 reductions of 3 messages; four agreements,
    // figures, verdict and norm: 7 of 3.
    void chunksAreMessagesOfTheirOwn()
    {
        const WindowTraffic traffic = trafficOf(inChunks(5, 1000));
        QVERIFY(isNear(traffic.between.messages, 3 * 14 * 3 + 7 * 3));
        QVERIFY(isNear(traffic.between.bytes, 24750 + 4 * 5 * 144));
        QCOMPARE(collectives(inChunks(5, 1000)), 3 * 14 + 3);
    }

    // 16 ranks on four machines, once per window. Within a machine: 2 phases of 3 messages and of
    // 3/4 · 4,000 bytes. Between machines: 2 phases of 3 messages and of 3/4 · 4,000 / 4 bytes, and
    // what is small: one message to the first rank and four down the tree.
    void machinesAddUpAmongThemselvesFirst()
    {
        ScalingPoint all { 16, 1, false, 4000, 0 };
        all.perMachine = 4;
        const WindowTraffic traffic = trafficOf(all);
        QVERIFY(isNear(traffic.within.messages, 6));
        QVERIFY(isNear(traffic.between.messages, 6 + 3 * 5));
        QVERIFY(isNear(traffic.within.bytes, 1.5 * 4000));
        QVERIFY(isNear(traffic.between.bytes, 1.5 * 1000 + (15 + 4) * 144));
    }

    // L = W: all within; L = 1: the ring.
    void oneMachineNeedsNoOther()
    {
        ScalingPoint all = point(Sharding::None);
        all.perMachine = 4;
        const WindowTraffic traffic = trafficOf(all);
        QCOMPARE(traffic.between.messages, 0.0);
        QCOMPARE(traffic.between.bytes, 0.0);
        QVERIFY(isNear(traffic.within.bytes, trafficOf(point(Sharding::None)).between.bytes));
    }

    void oneRankSendsNothing()
    {
        for (const Sharding sharding :
            { Sharding::None, Sharding::Optimizer, Sharding::Parameters }) {
            ScalingPoint alone = point(sharding);
            alone.ranks = 1;
            QCOMPARE(trafficOf(alone).between.messages, 0.0);
            QCOMPARE(bytesSent(alone), 0.0);
            QCOMPARE(collectives(alone), 0);
        }
    }
};

QTEST_GUILESS_MAIN(TestWindowTraffic)
#include "tst_window_traffic.moc"
