// SPDX-License-Identifier: Apache-2.0
#include "engine/session/evaluation.h"

#include <QTest>

#include <torch/utils.h>

#include "engine/session/model_setup.h"
#include "tests/engine/distributed/ranks_in_processes.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {
Experiment withBatchNorm()
{
    Experiment experiment;
    experiment.model.norm = Norm::Batch;
    experiment.run.precision = Precision::Float64;
    return experiment;
}
const auto kAlways = [] { return true; };
} // namespace

class TestEvaluation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void isTheExactMeanForAnyBatchSize()
    {
        const ResidentDataSet data = smallDataSet(4, /*test=*/23);
        const auto network = makeNetwork(withBatchNorm(), data);
        const at::NoGradGuard noGrad;
        network->eval();
        const at::Tensor images =
            (data.test.images.to(at::kDouble) / 255 - data.mean[0]) / data.stddev[0];
        const at::Tensor logits = network->forward(images);
        const double loss = at::cross_entropy_loss(logits, data.test.labels).item<double>();
        const double accuracy =
            logits.argmax(1).eq(data.test.labels).to(at::kDouble).mean().item<double>();
        for (const std::int64_t batch : { 1, 5, 23, 512 }) {
            const auto result = evaluate(*network, data, data.test, batch, kAlways);
            QVERIFY(result.has_value());
            QVERIFY(std::abs(result->loss - loss) < 1e-12);
            QCOMPARE(result->accuracy, accuracy);
        }
    }

    void ranksShareItAndGetTheSameResult_data()
    {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("samples");
        QTest::newRow("two") << 2 << 23;
        QTest::newRow("three") << 3 << 23;
        QTest::newRow("more than samples") << 4 << 3;
    }

    void ranksShareItAndGetTheSameResult()
    {
        if (kWhyNoRanks != nullptr)
            QSKIP(kWhyNoRanks);
        QFETCH(int, ranks);
        QFETCH(int, samples);
        const ResidentDataSet data = smallDataSet(4, samples);
        const auto network = makeNetwork(withBatchNorm(), data);
        const auto result = [&](World& world) {
            const auto made = evaluate(*network, data, data.test, 4, kAlways, world).value();
            return at::tensor({ made.loss, made.accuracy });
        };
        const at::Tensor alone = result(World::alone());
        const std::vector<RankResult> results = onRanks(ranks, result);
        for (const RankResult& rank : results) {
            QCOMPARE(rank.problem, std::string());
            QVERIFY(rank.numbers.equal(results.front().numbers));
            QVERIFY(rank.numbers.sub(alone).abs().max().item<double>() < 1e-12);
        }
    }

    void leavesTheNetworkAsItWas()
    {
        const ResidentDataSet data = smallDataSet(4);
        const auto network = makeNetwork(withBatchNorm(), data);
        const at::Tensor mean = network->named_buffers()["norm1.running_mean"].clone();
        evaluate(*network, data, data.test, 7, kAlways);
        QVERIFY(network->is_training());
        QVERIFY(at::equal(network->named_buffers()["norm1.running_mean"], mean));
        QVERIFY(!network->parameters()[0].grad().defined());
    }

    void isGivenUpWhenItMayNotGoOn()
    {
        const ResidentDataSet data = smallDataSet(4);
        const auto network = makeNetwork(withBatchNorm(), data);
        int passes = 0;
        const auto result = evaluate(*network, data, data.test, 5, [&] { return ++passes < 3; });
        QVERIFY(!result.has_value());
        QCOMPARE(passes, 3);
        QVERIFY(network->is_training());
    }
};

QTEST_GUILESS_MAIN(TestEvaluation)
#include "tst_evaluation.moc"
