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

    // Gradient, agreements before three slices and the update, figures and verdict: 7 all-reduces
    // of 2 · 3 messages. An agreement has 4 · 136 bytes, of which a rank sends 2 · 3/4.
    void messagesFollowEachOther()
    {
        const WindowTraffic none = trafficOf(point(Sharding::None));
        QVERIFY(isNear(none.between.messages, 7 * 6));
        QVERIFY(isNear(none.between.bytes, 6000 + 4 * 816));
        QCOMPARE(none.within.messages, 0.0);
    }

    // Three micro-batches of 5 + 5 − 1 gathers and 5 reductions of 3 messages; agreements, figures,
    // verdict and norm: 7 of 6. The reductions take as long as two phases, because gloo reduces to
    // one rank after the other.
    void chunksAreMessagesOfTheirOwn()
    {
        const WindowTraffic traffic = trafficOf(inChunks(5, 1000));
        QVERIFY(isNear(traffic.between.messages, 3 * 14 * 3 + 7 * 6));
        QVERIFY(isNear(traffic.between.bytes, 24750 + 4 * 816 + 3 * 3000));
        QCOMPARE(collectives(inChunks(5, 1000)), 3 * 14 + 3);
    }

    // 16 ranks on four machines, once per window. Within a machine: 2 phases of 3 messages and of
    // 3/4 · 4,000 bytes. Between machines: 2 phases of 3 messages and of 3/4 · 4,000 / 4 bytes.
    void machinesAddUpAmongThemselvesFirst()
    {
        ScalingPoint all { 16, 1, false, 4000, 0 };
        all.perMachine = 4;
        const WindowTraffic traffic = trafficOf(all);
        const int sums = 1 + 2 + 2; // gradient, agreements, figures and verdict
        QVERIFY(isNear(traffic.within.messages, sums * 6));
        QVERIFY(isNear(traffic.between.messages, sums * 6));
        const double agreement = 16 * 136;
        QVERIFY(isNear(traffic.within.bytes, 1.5 * 4000 + 2 * 1.5 * agreement));
        QVERIFY(isNear(traffic.between.bytes, 1.5 * 1000 + 2 * 1.5 * agreement / 4));
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
