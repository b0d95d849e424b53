// SPDX-License-Identifier: Apache-2.0
#include "engine/window/accumulator.h"

#include <ATen/Parallel.h>
#include <QTest>

#include "engine/memory/memory_meter.h"
#include "engine/session/model_setup.h"
#include "engine/session/single_window.h"
#include "engine/window/loss_scale.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

using Slices = std::vector<std::int64_t>;

Experiment experimentOf(ModelName model, Precision precision, Norm norm = Norm::None)
{
    Experiment experiment;
    experiment.model.name = model;
    experiment.model.norm = norm;
    experiment.run.precision = precision;
    experiment.optimizer.lr = 64; // an update is not lost in the parameters' rounding
    return experiment;
}

// One window's gradient and figures.
struct OneWindow {
    OneWindow(const Experiment& experiment, const ResidentDataSet& data, const Slices& slices,
        const at::Tensor& order)
        : network(makeNetwork(experiment, data))
        , metrics(at::kCPU)
        , watch(at::kCPU, control)
        , gradient(allocateGradients(*network, network->parameterCount()))
        , accumulator(*network, data, *std::max_element(slices.begin(), slices.end()))
    {
        run(slices, order);
        metrics.endWindow();
        values = metrics.read();
    }

    void run(const Slices& slices, const at::Tensor& order)
    {
        watch.beginWindow(static_cast<std::uint32_t>(slices.size()));
        accumulator.beginWindow();
        gradient.zero_();
        Slice slice { .weight = 1.0 / static_cast<double>(order.size(0)) };
        for (const std::int64_t size : slices) {
            slice.samples = size;
            accumulator.add(order, slice, metrics, watch);
            slice.begin += size;
        }
    }

    std::shared_ptr<Network> network;
    RunControl control;
    WindowMetrics metrics;
    PhaseWatch watch;
    at::Tensor gradient;
    Accumulator accumulator;
    WindowValues values;
};

// The same window by torch's own operators, all pictures at once.
struct Independent {
    Independent(const Experiment& experiment, const ResidentDataSet& data, const at::Tensor& order)
        : network(makeNetwork(experiment, data))
    {
        const at::ScalarType type = typeOf(experiment.run.precision);
        const at::Tensor images =
            (data.train.images.index_select(0, order).to(type) / 255 - data.mean[0])
            / data.stddev[0];
        const at::Tensor labels = data.train.labels.index_select(0, order);
        const at::Tensor logits = network->forward(images);
        at::cross_entropy_loss(logits, labels).backward();
        meanLoss = at::cross_entropy_loss(logits, labels).item<double>();
        correct = logits.argmax(1).eq(labels).sum().item<std::int64_t>();
        std::vector<at::Tensor> parts;
        for (const at::Tensor& parameter : network->parameters())
            parts.push_back(parameter.grad().flatten());
        gradient = at::cat(parts);
    }

    std::shared_ptr<Network> network;
    double meanLoss = 0;
    std::int64_t correct = 0;
    at::Tensor gradient;
};

} // namespace

class TestAccumulator : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void anyCutOfAWindowGivesTheUpdateOfTheWholeBatch_data()
    {
        QTest::addColumn<bool>("mlp");
        QTest::addColumn<bool>("inDouble");
        QTest::newRow("LeNet-5 float64") << false << true;
        QTest::newRow("LeNet-5 float32") << false << false;
        QTest::newRow("MLP float64") << true << true;
        QTest::newRow("MLP float32") << true << false;
    }

    void anyCutOfAWindowGivesTheUpdateOfTheWholeBatch()
    {
        QFETCH(bool, mlp);
        QFETCH(bool, inDouble);
        const Experiment experiment = experimentOf(mlp ? ModelName::Mlp : ModelName::LeNet5,
            inDouble ? Precision::Float64 : Precision::Float32, Norm::Group);
        const ResidentDataSet data = smallDataSet(128);
        const at::Tensor whole = updateFrom(experiment, data, windowOf({ 128 }));
        for (const Slices& cut :
            { Slices { 32, 32, 32, 32 }, Slices { 25, 25, 25, 25, 25, 3 }, Slices { 127, 1 } }) {
            const double distance =
                relativeDistance(updateFrom(experiment, data, windowOf(cut)), whole);
            QVERIFY2(distance <= (inDouble ? 1e-12 : 1e-5), std::to_string(distance).c_str());
        }
    }

    void theOrderInMemoryChangesNoUpdate()
    {
        const ResidentDataSet data = smallDataSet(8);
        Experiment experiment = experimentOf(ModelName::Vgg, Precision::Float64, Norm::Batch);
        const auto updateAs = [&](MemoryFormat format) {
            experiment.run.memoryFormat = format;
            return updateFrom(experiment, data, windowOf({ 4, 4 }));
        };
        const at::Tensor contiguous = updateAs(MemoryFormat::Contiguous);
        QVERIFY(relativeDistance(updateAs(MemoryFormat::ChannelsLast), contiguous) < 1e-12);
        const auto network = makeNetwork(experiment, data);
        for (const at::Tensor& parameter : network->parameters())
            QVERIFY(parameter.dim() < 4 || parameter.is_contiguous(at::MemoryFormat::ChannelsLast));
    }

    void theOrderInMemoryFollowsTheModelUnlessItIsGiven()
    {
        const auto chosen = [](ModelName model, Norm norm) {
            return memoryFormatOf(experimentOf(model, Precision::Float32, norm), at::kCPU);
        };
        QVERIFY(chosen(ModelName::ResNet18, Norm::Batch) == MemoryFormat::ChannelsLast);
        QVERIFY(chosen(ModelName::ResNet34, Norm::Batch) == MemoryFormat::ChannelsLast);
        QVERIFY(chosen(ModelName::Vgg, Norm::None) == MemoryFormat::ChannelsLast);
        QVERIFY(chosen(ModelName::ResNet18, Norm::Group) == MemoryFormat::Contiguous);
        QVERIFY(chosen(ModelName::LeNet5, Norm::Batch) == MemoryFormat::Contiguous);
        const at::Device card(at::kCUDA, 0);
        const auto onCard = [&](Precision precision, bool tf32) {
            Experiment experiment = experimentOf(ModelName::ResNet18, precision, Norm::Batch);
            experiment.run.tf32 = tf32;
            return memoryFormatOf(experiment, card);
        };
        QVERIFY(onCard(Precision::Float32, false) == MemoryFormat::Contiguous);
        QVERIFY(onCard(Precision::Float64, false) == MemoryFormat::Contiguous);
        QVERIFY(onCard(Precision::Float64, true) == MemoryFormat::Contiguous); // tf32 has no effect
        QVERIFY(onCard(Precision::Float32, true) == MemoryFormat::ChannelsLast);
        QVERIFY(onCard(Precision::BFloat16, false) == MemoryFormat::ChannelsLast);
        QVERIFY(onCard(Precision::Float16, false) == MemoryFormat::ChannelsLast);
        Experiment given = experimentOf(ModelName::Vgg, Precision::Float32);
        given.run.memoryFormat = MemoryFormat::Contiguous;
        QVERIFY(memoryFormatOf(given, at::kCPU) == MemoryFormat::Contiguous);
    }

    // A power of two is multiplied in and divided out without a rounding.
    void theLossScaleLeavesNoTrace()
    {
        const ResidentDataSet data = smallDataSet(8);
        const Experiment experiment = experimentOf(ModelName::LeNet5, Precision::Float32);
        const at::Tensor order = at::arange(8, at::kLong);
        OneWindow window(experiment, data, { 8 }, order);
        const at::Tensor expected = window.gradient.clone();
        const double lossSum = window.values.lossSum;
        window.metrics.beginWindow();
        window.accumulator.beginWindow(LossScale::kFirst);
        window.gradient.zero_();
        window.accumulator.add(
            order, { .samples = 8, .weight = 1.0 / 8 }, window.metrics, window.watch);
        QVERIFY(!at::equal(window.gradient, expected));
        window.gradient.mul_(1 / window.accumulator.scale());
        QVERIFY(at::equal(window.gradient, expected));
        window.metrics.endWindow();
        QCOMPARE(window.metrics.read().lossSum, lossSum);
    }

    void theLossScaleFollowsOverflowsAsTorchsScalerDoes()
    {
        LossScale scale { LossScale::kFirst };
        scale.windowOverflowed();
        QCOMPARE(scale.value, 32768.0);
        for (int window = 0; window < 1999; ++window)
            scale.windowApplied();
        QCOMPARE(scale.value, 32768.0);
        scale.windowApplied();
        QCOMPARE(scale.value, 65536.0);
        while (scale.canFall())
            scale.windowOverflowed();
        QCOMPARE(scale.value, 1.0);
    }

    void gradientLossAndCountEqualAnIndependentComputation()
    {
        const Experiment experiment = experimentOf(ModelName::LeNet5, Precision::Float64);
        const ResidentDataSet data = smallDataSet(64);
        const at::Tensor order = at::tensor({ 63, 5, 5, 0, 17, 40, 9, 21, 33, 2 }, at::kLong);
        const OneWindow window(experiment, data, { 4, 4, 2 }, order);
        const Independent expected(experiment, data, order);
        QVERIFY(relativeDistance(window.gradient, expected.gradient) < 1e-12);
        QVERIFY(std::abs(window.values.lossSum / 10 - expected.meanLoss) < 1e-12);
        QCOMPARE(window.values.correct, expected.correct);
    }

    // As a slice that is in two planned micro-batches under the reduction sum.
    void samplesOfOneSliceMayWeighDifferently()
    {
        const Experiment experiment = experimentOf(ModelName::Mlp, Precision::Float64);
        const ResidentDataSet data = smallDataSet(8);
        const std::vector<double> weights { 0.5, 0.5, 1.0 };
        OneWindow window(experiment, data, { 8 }, at::arange(8, at::kLong));
        window.watch.beginWindow(1);
        window.metrics.beginWindow();
        window.accumulator.beginWindow();
        window.gradient.zero_();
        window.accumulator.add(at::arange(8, at::kLong),
            { .begin = 2, .samples = 3, .weights = weights }, window.metrics, window.watch);
        window.metrics.endWindow();
        at::Tensor expected = at::zeros_like(window.gradient);
        double lossSum = 0;
        for (std::int64_t i = 0; i < 3; ++i) {
            const Independent one(experiment, data, at::tensor({ i + 2 }, at::kLong));
            expected += weights[static_cast<std::size_t>(i)] * one.gradient;
            lossSum += one.meanLoss;
        }
        QVERIFY(relativeDistance(window.gradient, expected) < 1e-12);
        QVERIFY(std::abs(window.metrics.read().lossSum - lossSum) < 1e-12);
    }

    void gradientsStayWhereTheyAre()
    {
        const Experiment experiment = experimentOf(ModelName::LeNet5, Precision::Float32);
        const ResidentDataSet data = smallDataSet(20);
        OneWindow window(experiment, data, { 5, 5 }, at::arange(10, at::kLong));
        const void* before = window.network->parameters()[0].grad().data_ptr();
        window.run({ 5, 5 }, at::arange(10, 20, at::kLong));
        QCOMPARE(window.network->parameters()[0].grad().data_ptr(), before);
        QCOMPARE(window.gradient.data_ptr(), before);
    }

    void secondWindowForgetsTheFirst()
    {
        const Experiment experiment = experimentOf(ModelName::LeNet5, Precision::Float64);
        const ResidentDataSet data = smallDataSet(20);
        const at::Tensor order = at::arange(7, 20, at::kLong);
        OneWindow window(experiment, data, { 7 }, at::arange(7, at::kLong));
        window.run({ 7, 6 }, order);
        const Independent expected(experiment, data, order);
        QVERIFY(relativeDistance(window.gradient, expected.gradient) < 1e-12);
    }

    void memoryDoesNotGrowWithTheSlices()
    {
        const Experiment experiment = experimentOf(ModelName::LeNet5, Precision::Float32);
        const ResidentDataSet data = smallDataSet(64);
        MemoryMeter meter(at::kCPU);
        OneWindow window(experiment, data, { 8 }, at::arange(8, at::kLong));
        meter.resetPeak();
        window.run({ 8 }, at::arange(8, at::kLong));
        const std::int64_t one = meter.peakBytes();
        meter.resetPeak();
        window.run(Slices(8, 8), at::arange(64, at::kLong));
        QVERIFY(meter.peakBytes() <= one + 1024);
    }
};

QTEST_GUILESS_MAIN(TestAccumulator)
#include "tst_accumulator.moc"
