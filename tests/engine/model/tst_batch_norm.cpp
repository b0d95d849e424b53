// SPDX-License-Identifier: Apache-2.0
#include "engine/model/batch_norm.h"

#include <cmath>
#include <limits>

#include <QTest>

#include <torch/nn/modules/batchnorm.h>
#include <torch/utils.h>

#include "engine/model/registry.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

using Slices = std::vector<at::Tensor>;

ModelSettings settingsOf(BatchNormMomentum momentum = {}, bool window = false)
{
    ModelSettings settings;
    settings.norm = Norm::Batch;
    settings.batchnormMomentum = momentum;
    settings.batchnormWindow = window;
    return settings;
}

ModelSettings overWindow()
{
    return settingsOf({}, /*window=*/true);
}

template <typename Module> Module inDouble(Module module)
{
    for (at::Tensor parameter : module->parameters())
        parameter.set_data(parameter.to(at::kDouble));
    for (at::Tensor buffer : module->buffers())
        if (buffer.is_floating_point())
            buffer.set_data(buffer.to(at::kDouble));
    return module;
}

std::shared_ptr<Network> network(ModelSettings settings)
{
    return inDouble(makeModel(settings, {}, /*seed=*/1));
}

// Slices of one window, of 5, 5 and 3 samples.
Slices slicesOf(const at::Tensor& samples)
{
    return { samples.narrow(/*dim=*/0, 0, 5), samples.narrow(/*dim=*/0, 5, 5),
        samples.narrow(/*dim=*/0, 10, 3) };
}

at::Tensor pictures(std::uint32_t stream)
{
    return noise(13 * 784, stream).reshape({ 13, 1, 28, 28 }) + 0.3;
}

void trainOneWindow(Network& model, const Slices& slices)
{
    model.beginWindow(static_cast<std::int64_t>(slices.size()));
    for (const at::Tensor& slice : slices)
        model.forward(slice);
    model.endWindow();
}

double distance(const at::Tensor& found, const at::Tensor& expected)
{
    return ((found - expected).norm() / expected.norm()).item<double>();
}

std::int64_t updates(const torch::nn::Module& module, const std::string& layer = {})
{
    return module.named_buffers()[layer + "num_batches_tracked"].item<std::int64_t>();
}

// Mean and variances of everything that a layer is given while the slices pass, from sums of values
// and of their squares: with momentum 1 its running statistics are those of one pass.
struct Pooled {
    Pooled(const std::string& layer, const Slices& slices, std::int64_t valuesOfSample)
    {
        const auto model = network(settingsOf({ .value = 1 }));
        double values = 0;
        at::Tensor sum = at::zeros({}, at::kDouble);
        at::Tensor squares = at::zeros({}, at::kDouble);
        for (const at::Tensor& slice : slices) {
            model->forward(slice);
            const auto buffers = model->named_buffers();
            const auto count = static_cast<double>(slice.size(0) * valuesOfSample);
            const at::Tensor& passMean = buffers[layer + ".running_mean"];
            const at::Tensor passVariance = buffers[layer + ".running_var"] * ((count - 1) / count);
            sum = sum + passMean * count;
            squares = squares + (passVariance + passMean.square()) * count;
            values += count;
        }
        mean = sum / values;
        population = squares / values - mean.square();
        unbiased = population * (values / (values - 1));
    }

    at::Tensor mean, population, unbiased;
};

void verifyRunning(const Network& model, const std::string& layer, const at::Tensor& mean,
    const at::Tensor& variance)
{
    const auto buffers = model.named_buffers();
    QVERIFY2(distance(buffers[layer + ".running_mean"], mean) < 1e-12, layer.c_str());
    QVERIFY2(distance(buffers[layer + ".running_var"], variance) < 1e-12, layer.c_str());
}

} // namespace

class TestBatchNorm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plainIsTorchs_data()
    {
        QTest::addColumn<bool>("onPictures");
        QTest::newRow("pictures") << true;
        QTest::newRow("vectors") << false;
    }

    void plainIsTorchs()
    {
        QFETCH(bool, onPictures);
        BatchNorm ours(3, settingsOf());
        torch::nn::BatchNorm2d theirs2(3);
        torch::nn::BatchNorm1d theirs1(3);
        const auto reference = [&](const at::Tensor& x) {
            return onPictures ? theirs2->forward(x) : theirs1->forward(x);
        };
        for (int pass = 0; pass < 3; ++pass) {
            at::Tensor x = noise(4 * 3 * 6, static_cast<std::uint32_t>(pass)).to(at::kFloat);
            x = onPictures ? x.reshape({ 4, 3, 2, 3 }) : x.reshape({ 24, 3 });
            at::Tensor mine = x.clone().requires_grad_();
            at::Tensor other = x.clone().requires_grad_();
            ours->beginWindow(3);
            const at::Tensor found = ours->forward(mine);
            ours->endWindow();
            const at::Tensor expected = reference(other);
            (found * x.square()).sum().backward();
            (expected * x.square()).sum().backward();
            QVERIFY(at::equal(found, expected));
            QVERIFY(at::equal(mine.grad(), other.grad()));
        }
        const auto mine = ours->named_buffers();
        const auto theirs = onPictures ? theirs2->named_buffers() : theirs1->named_buffers();
        QCOMPARE(mine.keys(), theirs.keys());
        for (const std::string& name : theirs.keys())
            QVERIFY2(at::equal(mine[name], theirs[name]), name.c_str());
        ours->eval();
        theirs1->eval();
        theirs2->eval();
        const at::Tensor x = onPictures ? at::ones({ 1, 3, 1, 1 }) : at::ones({ 1, 3 });
        QVERIFY(at::equal(ours->forward(x), reference(x)));
    }

    void oneValueAChannelIsRefusedInTrainMode()
    {
        BatchNorm norm(3, settingsOf());
        const std::string sentence = sentenceOf([&] { norm->forward(at::ones({ 1, 3 })); });
        QVERIFY2(sentence.find("2 or more samples") != std::string::npos, sentence.c_str());
        QCOMPARE(updates(*norm), 0);
        norm->forward(at::rand({ 1, 3, 2, 1 }));
        norm->eval();
        norm->forward(at::ones({ 1, 3 }));
    }

    void correctedMomentumWeighsEveryWindowAlike_data()
    {
        QTest::addColumn<int>("passes");
        for (const int passes : { 1, 2, 4, 7 })
            QTest::newRow(std::to_string(passes).c_str()) << passes;
    }

    // r_N = (1 − m)·r + Σ over k of (1 − (1−m)^(1/N)) · (1 − m)^((N−k)/N) · batch k
    void correctedMomentumWeighsEveryWindowAlike()
    {
        QFETCH(int, passes);
        auto norm = inDouble(BatchNorm(2, settingsOf(BatchNormMomentum::correctedOne())));
        const auto before = norm->named_buffers();
        before["running_mean"].fill_(5);
        before["running_var"].fill_(7);
        const double share = 1 - std::pow(0.9, 1.0 / passes);
        at::Tensor mean = at::full({ 2 }, 0.9 * 5, at::kDouble);
        at::Tensor variance = at::full({ 2 }, 0.9 * 7, at::kDouble);
        norm->beginWindow(passes);
        for (int pass = 1; pass <= passes; ++pass) {
            const at::Tensor x = noise(12, static_cast<std::uint32_t>(pass)).reshape({ 6, 2 });
            norm->forward(x);
            const double weight =
                share * std::pow(0.9, static_cast<double>(passes - pass) / passes);
            mean += weight * x.mean(/*dim=*/0);
            variance += weight * x.var(/*dim=*/0, /*unbiased=*/true);
        }
        norm->endWindow();
        QVERIFY(distance(before["running_mean"], mean) < 1e-14);
        QVERIFY(distance(before["running_var"], variance) < 1e-14);
        QCOMPARE(updates(*norm), passes);
    }

    // A tail's own N, and none outside of a window.
    void correctedMomentumFollowsEachWindow()
    {
        auto norm = inDouble(BatchNorm(1, settingsOf(BatchNormMomentum::correctedOne())));
        const at::Tensor mean = norm->named_buffers()["running_mean"];
        const at::Tensor x = at::tensor({ 1.0, 3.0 }, at::kDouble).reshape({ 2, 1 }); // mean 2
        double expected = 0;
        for (const int passes : { 4, 4, 3, 1 }) {
            norm->beginWindow(passes);
            for (int pass = 0; pass < passes; ++pass)
                norm->forward(x);
            norm->endWindow();
            expected = 0.9 * expected + 0.1 * 2;
            QVERIFY(std::abs(mean.item<double>() - expected) < 1e-14);
        }
        norm->forward(x);
        QVERIFY(std::abs(mean.item<double>() - (0.9 * expected + 0.2)) < 1e-14);
    }

    void theFirstLayerOverAWindowIsThatOfTheWholeBatch()
    {
        const auto cut = network(overWindow());
        const auto whole = network(settingsOf());
        for (std::uint32_t window = 1; window <= 3; ++window) {
            const at::Tensor samples = pictures(window);
            trainOneWindow(*cut, slicesOf(samples));
            whole->forward(samples);
        }
        const auto buffers = whole->named_buffers();
        verifyRunning(*cut, "norm1", buffers["norm1.running_mean"], buffers["norm1.running_var"]);
        QCOMPARE(updates(*cut, "norm1."), 3); // windows
    }

    void everyLayerOverAWindowHasThePooledMomentsOfItsInputs()
    {
        const auto model = network(overWindow());
        const Slices slices = slicesOf(pictures(1));
        trainOneWindow(*model, slices);
        for (const auto& [layer, values] : { std::pair { "norm1", 784 }, { "norm2", 100 } }) {
            const Pooled pooled(layer, slices, values);
            verifyRunning(*model, layer, 0.1 * pooled.mean, 0.9 + 0.1 * pooled.unbiased);
        }
        // The second sees each slice normalised by itself, so it is not the whole batch's.
        const auto whole = network(settingsOf());
        whole->forward(pictures(1));
        QVERIFY(distance(model->named_buffers()["norm2.running_mean"],
                    whole->named_buffers()["norm2.running_mean"])
            > 1e-4);
    }

    void runningStatisticsRestUntilTheWindowEnds()
    {
        const auto model = network(overWindow());
        const at::Tensor mean = model->named_buffers()["norm2.running_mean"];
        model->beginWindow(2);
        model->forward(pictures(1));
        QVERIFY(at::equal(mean, at::zeros_like(mean)));
        QCOMPARE(updates(*model, "norm2."), 0);
        model->endWindow();
        QVERIFY(mean.abs().max().item<double>() > 0);
    }

    // A window that is repeated with smaller slices, or abandoned, leaves nothing behind.
    void aWindowBegunAnewForgetsTheUnfinishedOne()
    {
        const auto model = network(overWindow());
        model->beginWindow(2);
        model->forward(
            at::full({ 4, 1, 28, 28 }, std::numeric_limits<double>::quiet_NaN(), at::kDouble));
        const Slices slices = slicesOf(pictures(1));
        trainOneWindow(*model, slices);
        const auto straight = network(overWindow());
        trainOneWindow(*straight, slices);
        for (const auto& buffer : straight->named_buffers())
            QVERIFY2(at::equal(model->named_buffers()[buffer.key()], buffer.value()),
                buffer.key().c_str());
    }

    void aWindowGoesOnWhereItsStateWasTaken()
    {
        const Slices slices = slicesOf(pictures(1));
        const auto straight = network(overWindow());
        straight->beginWindow(3);
        straight->forward(slices[0]);
        straight->forward(slices[1]);
        NamedTensors state;
        for (const auto& [name, tensor] : straight->windowState())
            state.emplace_back(name, tensor.clone());
        QCOMPARE(state.size(), std::size_t { 6 });
        const auto resumed = network(overWindow());
        resumed->beginWindow(3);
        resumed->restoreWindowState(state);
        for (const auto& model : { straight, resumed }) {
            model->forward(slices[2]);
            model->endWindow();
        }
        for (const auto& buffer : straight->named_buffers())
            QVERIFY2(at::equal(resumed->named_buffers()[buffer.key()], buffer.value()),
                buffer.key().c_str());
        QVERIFY(straight->windowState().empty()); // between windows
        const auto plain = network(settingsOf());
        plain->beginWindow(3);
        QVERIFY(plain->windowState().empty());
    }

    void aStateOfAnotherModelIsRefused()
    {
        const auto model = network(overWindow());
        model->beginWindow(3);
        NamedTensors state = model->windowState();
        state.back().second = at::zeros({ 5 }, at::kDouble);
        std::string sentence = sentenceOf([&] { model->restoreWindowState(state); });
        QVERIFY2(sentence.find(state.back().first) != std::string::npos, sentence.c_str());
        state.erase(state.begin());
        sentence = sentenceOf([&] { model->restoreWindowState(state); });
        QVERIFY2(sentence.find("norm1.window_values") != std::string::npos, sentence.c_str());
    }

    void statisticsAreThePooledPopulationMoments()
    {
        const auto model = network(settingsOf());
        const Slices slices = slicesOf(pictures(1));
        model->forward(pictures(2)); // running statistics of their own
        model->beginStatistics();
        for (const at::Tensor& slice : slices)
            model->forward(slice);
        model->endStatistics();
        for (const auto& [layer, values] : { std::pair { "norm1", 784 }, { "norm2", 100 } }) {
            const Pooled pooled(layer, slices, values);
            verifyRunning(*model, layer, pooled.mean, pooled.population);
        }
        QCOMPARE(updates(*model, "norm1."), 1);
    }

    void statisticsWithoutAPassChangeNothing()
    {
        const auto model = network(settingsOf());
        model->forward(pictures(2));
        const at::Tensor before = model->named_buffers()["norm2.running_var"].clone();
        model->beginStatistics();
        model->endStatistics();
        QVERIFY(at::equal(model->named_buffers()["norm2.running_var"], before));
    }

    void statisticsThatAreGivenUpChangeNothing()
    {
        const auto model = network(settingsOf());
        const auto straight = network(settingsOf());
        model->beginStatistics();
        model->forward(pictures(2));
        model->abandonStatistics();
        model->endStatistics(); // there is nothing to end
        for (const auto& each : { model, straight })
            each->forward(pictures(1)); // as torch again
        for (const auto& buffer : straight->named_buffers())
            QVERIFY2(at::equal(model->named_buffers()[buffer.key()], buffer.value()),
                buffer.key().c_str());
    }

    // Also in mid-window: the window's moments are its own, and the momentum stays corrected.
    void statisticsInAWindowLeaveTheWindowAlone_data()
    {
        QTest::addColumn<bool>("window");
        QTest::newRow("over the window") << true;
        QTest::newRow("corrected") << false;
    }

    void statisticsInAWindowLeaveTheWindowAlone()
    {
        QFETCH(bool, window);
        const ModelSettings settings =
            window ? overWindow() : settingsOf(BatchNormMomentum::correctedOne());
        const Slices slices = slicesOf(pictures(1));
        const auto interrupted = network(settings);
        const auto straight = network(settings);
        for (const auto& model : { interrupted, straight }) {
            model->beginWindow(3);
            model->forward(slices[0]);
        }
        interrupted->beginStatistics();
        interrupted->forward(pictures(3));
        interrupted->endStatistics();
        for (const auto& buffer : straight->named_buffers()) // what it was before, to compare
            interrupted->named_buffers()[buffer.key()].copy_(buffer.value());
        for (const auto& model : { interrupted, straight }) {
            model->forward(slices[1]);
            model->forward(slices[2]);
            model->endWindow();
        }
        for (const auto& buffer : straight->named_buffers())
            QVERIFY2(at::equal(interrupted->named_buffers()[buffer.key()], buffer.value()),
                buffer.key().c_str());
    }

    // What the loss and its gradient are made of does not depend on the running statistics.
    void noModeChangesTheGradient()
    {
        std::vector<at::Tensor> gradients;
        for (const ModelSettings& settings :
            { settingsOf(), overWindow(), settingsOf(BatchNormMomentum::correctedOne()) }) {
            const auto model = network(settings);
            model->beginWindow(2);
            for (const at::Tensor& slice : { pictures(1), pictures(2) })
                model->forward(slice).square().sum().backward();
            model->endWindow();
            gradients.push_back(model->parameters().front().grad().clone());
        }
        QVERIFY(at::equal(gradients[0], gradients[1]));
        QVERIFY(at::equal(gradients[0], gradients[2]));
    }

    void float32KeepsTheWindowsMomentsInDouble()
    {
        BatchNorm norm(1, overWindow());
        norm->beginWindow(50);
        double sum = 0;
        for (int pass = 0; pass < 50; ++pass) {
            const at::Tensor x = (noise(64, static_cast<std::uint32_t>(pass)) + 100)
                                     .to(at::kFloat)
                                     .reshape({ 64, 1 });
            norm->forward(x);
            sum += x.to(at::kDouble).sum().item<double>();
        }
        norm->endWindow();
        const auto buffers = norm->named_buffers();
        QVERIFY(buffers["running_mean"].scalar_type() == at::kFloat);
        QVERIFY(std::abs(buffers["running_mean"].item<double>() - 0.1 * sum / 3200) < 1e-5);
        QVERIFY(std::abs(buffers["running_var"].item<double>() - (0.9 + 0.1 / 3)) < 3e-3);
    }
};

QTEST_GUILESS_MAIN(TestBatchNorm)
#include "tst_batch_norm.moc"
