// SPDX-License-Identifier: Apache-2.0
#include "engine/model/channel_moments.h"

#include <QTest>

#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

void add(ChannelMoments& moments, const at::Tensor& batch)
{
    moments.add(batch.mean(/*dim=*/0), batch.var(/*dim=*/0, /*unbiased=*/true), batch.size(0));
}

// The greatest difference, as a share of the greatest expected value.
double difference(const at::Tensor& found, const at::Tensor& expected)
{
    return ((found - expected).abs().max() / expected.abs().max()).item<double>();
}

} // namespace

class TestChannelMoments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void unevenBatchesGiveTheMomentsOfAllTogether()
    {
        const at::Tensor all = noise(40 * 3, 1).reshape({ 40, 3 }) + at::arange(3);
        ChannelMoments moments(3, at::kCPU);
        for (const auto& [begin, count] : { std::pair { 0, 2 }, { 2, 17 }, { 19, 3 }, { 22, 18 } })
            add(moments, all.narrow(/*dim=*/0, begin, count));
        QCOMPARE(moments.values(), 40);
        const at::Tensor mean = all.mean(/*dim=*/0);
        QVERIFY(difference(moments.mean(), mean) < 1e-14);
        QVERIFY(
            difference(moments.squaredDeviations(), (all - mean).square().sum(/*dim=*/0)) < 1e-14);
    }

    // Sums of squares would lose every digit: the deviations are 1e-9 of the mean.
    void aMeanFarAboveTheDeviationsLosesNothing()
    {
        const at::Tensor deviations = noise(64, 2).reshape({ 64, 1 });
        const at::Tensor all = deviations + 1e9;
        ChannelMoments moments(1, at::kCPU);
        for (int batch = 0; batch < 8; ++batch)
            add(moments, all.narrow(/*dim=*/0, 8 * batch, 8));
        const at::Tensor expected = (deviations - deviations.mean()).square().sum(/*dim=*/0);
        QVERIFY(difference(moments.squaredDeviations(), expected) < 1e-6);
        const at::Tensor naive = all.square().sum(/*dim=*/0) - 64 * all.mean(/*dim=*/0).square();
        QVERIFY(difference(naive, expected) > 1e-2);
    }

    void takenUpWhereTheyWereLeftTheyEndInTheSameBits()
    {
        const at::Tensor all = noise(30 * 4, 3).reshape({ 30, 4 });
        ChannelMoments straight(4, at::kCPU);
        add(straight, all.narrow(/*dim=*/0, 0, 10));
        ChannelMoments resumed(4, at::kCPU);
        resumed.restore(
            straight.values(), straight.mean().clone(), straight.squaredDeviations().clone());
        for (ChannelMoments* moments : { &straight, &resumed })
            add(*moments, all.narrow(/*dim=*/0, 10, 20));
        QCOMPARE(resumed.values(), 30);
        QVERIFY(at::equal(straight.mean(), resumed.mean()));
        QVERIFY(at::equal(straight.squaredDeviations(), resumed.squaredDeviations()));
    }

    void resetForgets()
    {
        ChannelMoments moments(2, at::kCPU);
        add(moments, at::full({ 5, 2 }, std::numeric_limits<double>::quiet_NaN()));
        moments.reset();
        const at::Tensor batch = noise(12, 4).reshape({ 6, 2 });
        add(moments, batch);
        QCOMPARE(moments.values(), 6);
        QVERIFY(difference(moments.mean(), batch.mean(/*dim=*/0)) < 1e-14);
    }
};

QTEST_GUILESS_MAIN(TestChannelMoments)
#include "tst_channel_moments.moc"
