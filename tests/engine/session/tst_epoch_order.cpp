// SPDX-License-Identifier: Apache-2.0
#include "engine/session/epoch_order.h"

#include <QTest>

#include <ATen/ATen.h>

using namespace accrue;

class TestEpochOrder : public QObject {
    Q_OBJECT

private:
    static Experiment augmented()
    {
        Experiment experiment;
        experiment.run.seed = 7;
        experiment.data.augment = { .cropPadding = 2, .flip = true };
        return experiment;
    }

private Q_SLOTS:
    void anEpochHasTheOrderOfItsSeedAndItsPicturesChange()
    {
        const Experiment experiment = augmented();
        EpochOrder order(experiment, 20, at::kCPU);
        QCOMPARE(order.epoch(), 0);
        for (const std::int64_t epoch : { 1, 3, 2 }) {
            order.draw(epoch);
            QCOMPARE(order.epoch(), epoch);
            const auto expected = Sampler { 20, 7, experiment.data.shuffle }.epochOrder(epoch);
            QVERIFY(order.indices().equal(at::tensor(expected, at::kLong)));
            QCOMPARE(
                order.augmentation().key, augmentationOf(experiment.data.augment, 7, epoch).key);
        }
    }

    void whatIsForgottenIsDrawnAgain()
    {
        EpochOrder order(augmented(), 20, at::kCPU);
        order.draw(2);
        const at::Tensor before = order.indices();
        order.forget();
        QCOMPARE(order.epoch(), 0);
        QVERIFY(order.indices().equal(before)); // an evaluation between may need it
        order.draw(2);
        QVERIFY(order.indices().equal(before));
    }
};

QTEST_APPLESS_MAIN(TestEpochOrder)
#include "tst_epoch_order.moc"
