// SPDX-License-Identifier: Apache-2.0
#include "engine/window/guard.h"

#include <cmath>
#include <limits>
#include <thread>

#include <QTest>

#include <torch/nn/modules/batchnorm.h>
#include <torch/utils.h>

#include "tests/engine/session/training_fixture.h"
#include "tests/engine/window/two_ranks.h"

using namespace accrue;
using namespace accrue::test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A BatchNorm whose statistics a window changes.
struct Judged {
    explicit Judged(NotFinite mode, World& world = World::alone())
        : guard(*norm, at::kCPU, mode, world)
    {
    }

    // The verdict on a window of that loss and gradient norm.
    bool refuses(double loss, double gradientNorm)
    {
        guard.beginWindow();
        metrics.beginWindow();
        norm->forward(at::rand({ 4, 3 }) + 1);
        metrics.lossSum().fill_(loss);
        metrics.gradientNorm().fill_(gradientNorm);
        return guard.judge(metrics).item<float>() == 1.0F;
    }

    at::Tensor statistics() const { return norm->running_mean.clone(); }
    std::int64_t batches() const { return norm->num_batches_tracked.item<std::int64_t>(); }

    torch::nn::BatchNorm1d norm { 3 };
    WindowMetrics metrics { at::kCPU };
    Guard guard;
};

} // namespace

class TestGuard : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void finiteWindowPasses()
    {
        Judged judged(NotFinite::End);
        QVERIFY(!judged.refuses(2.3, 0.5));
        QCOMPARE(judged.batches(), 1);
    }

    void whatIsNotFiniteIsRefusedAndStatisticsGoBack_data()
    {
        QTest::addColumn<double>("loss");
        QTest::addColumn<double>("gradientNorm");
        QTest::newRow("loss NaN") << kNan << 1.0;
        QTest::newRow("loss infinite") << kInfinity << 1.0;
        QTest::newRow("gradient NaN") << 1.0 << kNan;
        QTest::newRow("gradient infinite") << 1.0 << kInfinity;
        QTest::newRow("opposite infinities") << -kInfinity << kInfinity;
    }

    void whatIsNotFiniteIsRefusedAndStatisticsGoBack()
    {
        QFETCH(double, loss);
        QFETCH(double, gradientNorm);
        Judged judged(NotFinite::End);
        judged.refuses(1, 1);
        const at::Tensor before = judged.statistics();
        QVERIFY(judged.refuses(loss, gradientNorm));
        QVERIFY(at::equal(judged.statistics(), before));
        QCOMPARE(judged.batches(), 1);
    }

    void verdictLatchesWhereTheRunEnds()
    {
        Judged judged(NotFinite::End);
        judged.refuses(kNan, 1);
        QVERIFY(judged.refuses(1, 1));
        QCOMPARE(judged.batches(), 0);
    }

    void eachWindowIsJudgedAloneWhereTheyAreSkipped()
    {
        Judged judged(NotFinite::Skip);
        QVERIFY(judged.refuses(kNan, 1));
        QVERIFY(!judged.refuses(1, 1));
        QCOMPARE(judged.batches(), 1);
    }

    void whatOneRankRefusesAllRefuse()
    {
        TwoRanks world;
        Judged first(NotFinite::Skip, world[0]);
        Judged second(NotFinite::Skip, world[1]);
        for (const double loss : { kNan, 1.0 }) {
            bool others = false;
            std::thread other([&] { others = second.refuses(loss, 1); });
            const bool own = first.refuses(1, 1);
            other.join();
            QCOMPARE(own, std::isnan(loss));
            QCOMPARE(others, own);
        }
        QCOMPARE(first.batches(), 1);
    }

    void givenUpWindowLeavesNoTrace()
    {
        Judged judged(NotFinite::End);
        judged.refuses(1, 1);
        const at::Tensor before = judged.statistics();
        judged.guard.beginWindow();
        judged.norm->forward(at::rand({ 4, 3 }));
        judged.guard.abandonWindow();
        QVERIFY(at::equal(judged.statistics(), before));
    }

    void givingUpBetweenWindowsChangesNothing()
    {
        Judged judged(NotFinite::End);
        judged.refuses(1, 1);
        const at::Tensor after = judged.statistics();
        judged.guard.abandonWindow();
        QVERIFY(at::equal(judged.statistics(), after));
    }
};

QTEST_GUILESS_MAIN(TestGuard)
#include "tst_guard.moc"
