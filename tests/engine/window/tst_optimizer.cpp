// SPDX-License-Identifier: Apache-2.0
#include "engine/window/optimizer.h"

#include <algorithm>
#include <sstream>
#include <string>

#include <QTest>

#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>
#include <torch/utils.h>

#include "engine/experiment/keys.h"
#include "engine/experiment/registries.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

// With lr 0.1; the rest as the command line takes it.
OptimizerSettings settingsOf(const std::string& settings)
{
    Experiment experiment;
    experiment.optimizer.lr = 0.1;
    std::istringstream words(settings);
    for (std::string word; words >> word;)
        if (hasErrors(applySetting(experiment, word)))
            qFatal("not a setting: %s", word.c_str());
    return experiment.optimizer;
}

// A linear layer 3 → 2 and its optimizer, as in the reference script.
struct Stepper {
    explicit Stepper(const OptimizerSettings& settings, at::ScalarType type = at::kDouble)
    {
        layer->to(at::kDouble);
        fillByWave(*layer);
        layer->to(type);
        for (const at::Tensor& parameter : layer->parameters())
            parameter.mutable_grad() = at::zeros_like(parameter);
        optimizer = makeOptimizer(settings, *layer);
    }

    void step(int number, bool refuse = false)
    {
        double shift = number;
        for (const at::Tensor& parameter : layer->parameters()) {
            parameter.mutable_grad().copy_(
                wave(parameter.numel(), shift).reshape(parameter.sizes()));
            shift += 10;
        }
        optimizer->step(0.1, at::scalar_tensor(refuse ? 1.0 : 0.0, at::kFloat));
        if (refuse)
            optimizer->stepWasRefused();
    }

    at::Tensor parameters() const
    {
        std::vector<at::Tensor> parts;
        for (const at::Tensor& parameter : layer->parameters())
            parts.push_back(parameter.detach().flatten());
        return at::cat(parts);
    }

    void takeParameters(const Stepper& other)
    {
        const torch::NoGradGuard noGrad;
        layer->weight.copy_(other.layer->weight);
        layer->bias.copy_(other.layer->bias);
    }

    NamedTensors stateCopy() const
    {
        NamedTensors copy;
        for (const auto& [name, tensor] : optimizer->state())
            copy.emplace_back(name, tensor.clone());
        return copy;
    }

    torch::nn::Linear layer { 3, 2 };
    std::unique_ptr<Optimizer> optimizer;
};

// Over the steps that the reference script kept, L2 relative to its parameters.
double greatestDistance(
    const nlohmann::json& expected, const OptimizerSettings& settings, at::ScalarType type)
{
    Stepper stepper(settings, type);
    double greatest = 0;
    for (int step = 1; step <= 20; ++step) {
        stepper.step(step);
        const auto kept = expected.find(std::to_string(step));
        if (kept == expected.end())
            continue;
        const at::Tensor known = at::tensor(kept->get<std::vector<double>>(), at::kDouble);
        const at::Tensor difference = stepper.parameters().to(at::kDouble) - known;
        greatest = std::max(greatest, (difference.norm() / known.norm()).item<double>());
    }
    return greatest;
}

void addOptimizers()
{
    QTest::addColumn<QString>("name");
    for (const auto& [name, steps] : references()["optimizers"].items())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

} // namespace

class TestOptimizer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twentyStepsEqualThoseOfPython_data() { addOptimizers(); }

    void twentyStepsEqualThoseOfPython()
    {
        QFETCH(QString, name);
        const auto& expected = references()["optimizers"][name.toStdString()];
        QVERIFY(greatestDistance(expected["float64"], settingsOf(name.toStdString()), at::kDouble)
            < 1e-14);
        QVERIFY(greatestDistance(expected["float32"], settingsOf(name.toStdString()), at::kFloat)
            < 1e-6);
    }

    void everyOptimizerOfTheTableIsComparedWithPython()
    {
        for (const OptimizerInfo& info : optimizerTable()) {
            const auto& compared = references()["optimizers"].items();
            const bool isCompared = std::any_of(compared.begin(), compared.end(),
                [&](const auto& each) { return settingsOf(each.key()).name == info.name; });
            QVERIFY2(isCompared, info.word);
        }
    }

    // The memory formula counts on it.
    void anOptimizerHasAsManyTensorsAsItsRowSays_data() { addOptimizers(); }

    void anOptimizerHasAsManyTensorsAsItsRowSays()
    {
        QFETCH(QString, name);
        const OptimizerSettings settings = settingsOf(name.toStdString());
        const Stepper stepper(settings);
        std::int64_t elements = 0;
        for (const auto& [owner, tensor] : stepper.stateCopy())
            elements += tensor.dim() > 0 ? tensor.numel() : 0;
        const int states = optimizerInfo(settings.name).states(settings);
        QCOMPARE(elements, states * stepper.parameters().numel());
    }

    // Longer than what RMSprop computes at once.
    void aLongParameterIsUpdatedToItsEnd_data() { addOptimizers(); }

    void aLongParameterIsUpdatedToItsEnd()
    {
        QFETCH(QString, name);
        torch::nn::Linear layer(torch::nn::LinearOptions(1025, 2050).bias(false));
        {
            const torch::NoGradGuard noGrad;
            layer->weight.fill_(1);
            layer->weight.mutable_grad() = at::full_like(layer->weight, 0.5);
        }
        makeOptimizer(settingsOf(name.toStdString()), *layer)->step(0.1, at::zeros({}, at::kFloat));
        const double first = layer->weight[0][0].item<double>();
        QVERIFY(first < 1);
        QVERIFY(at::allclose(layer->weight, at::full_like(layer->weight, first)));
    }

    void whatIsLeftOutOfTheDecayIsWhatHasOneDimension()
    {
        torch::nn::Sequential model(torch::nn::Conv2d(1, 2, 3), torch::nn::BatchNorm2d(2),
            torch::nn::GroupNorm(1, 2), torch::nn::Linear(2, 2));
        for (const at::Tensor& parameter : model->parameters()) {
            const torch::NoGradGuard noGrad;
            parameter.fill_(1);
            parameter.mutable_grad() = at::zeros_like(parameter);
        }
        const auto optimizer = makeOptimizer({ .name = OptimizerName::AdamW,
                                                 .lr = 0.1,
                                                 .weightDecay = 0.5,
                                                 .decayNormAndBias = false },
            *model);
        optimizer->step(0.1, at::zeros({}, at::kFloat));
        for (const auto& parameter : model->named_parameters()) {
            const bool decayed = parameter.key() == "0.weight" || parameter.key() == "3.weight";
            QVERIFY2(at::allclose(
                         parameter.value(), at::full_like(parameter.value(), decayed ? 0.95 : 1.0)),
                parameter.key().c_str());
        }
    }

    void aRestoredOptimizerGoesOnBitForBit_data() { addOptimizers(); }

    void aRestoredOptimizerGoesOnBitForBit()
    {
        QFETCH(QString, name);
        const OptimizerSettings settings = settingsOf(name.toStdString());
        for (const int steps : { 0, 1, 10 }) { // before 1, sgd's first step is still to come
            Stepper straight(settings, at::kFloat);
            Stepper first(settings, at::kFloat);
            for (int step = 1; step <= steps + 10; ++step)
                straight.step(step);
            for (int step = 1; step <= steps; ++step)
                first.step(step);
            Stepper second(settings, at::kFloat);
            NamedTensors state = first.stateCopy();
            std::reverse(state.begin(), state.end()); // a file has an order of its own
            second.optimizer->restore(state);
            second.takeParameters(first);
            for (int step = steps + 1; step <= steps + 10; ++step)
                second.step(step);
            QVERIFY(at::equal(second.parameters(), straight.parameters()));
            QVERIFY(sameTensors(second.stateCopy(), straight.stateCopy()));
        }
    }

    void aStateOfAnotherOptimizerIsRefusedWithNothingTouched()
    {
        Stepper sgd(settingsOf(""));
        Stepper adam(settingsOf("optimizer.name=adam"));
        sgd.step(1);
        adam.step(1);
        const NamedTensors before = sgd.stateCopy();
        QCOMPARE(sentenceOf([&] { sgd.optimizer->restore(adam.optimizer->state()); }),
            std::string("The optimizer's state has optimizer.updates as Float [], but this run "
                        "needs Long []."));
        NamedTensors state = sgd.stateCopy();
        state.pop_back();
        QCOMPARE(sentenceOf([&] { sgd.optimizer->restore(state); }),
            std::string("The optimizer's state lacks optimizer.momentum.bias."));
        QVERIFY(sameTensors(sgd.stateCopy(), before));
    }

    void aCountBelowZeroIsRefused_data() { addOptimizers(); }

    void aCountBelowZeroIsRefused()
    {
        QFETCH(QString, name);
        Stepper stepper(settingsOf(name.toStdString()));
        stepper.step(1);
        const NamedTensors before = stepper.stateCopy();
        NamedTensors state = stepper.stateCopy();
        state.front().second.fill_(-1);
        QCOMPARE(sentenceOf([&] { stepper.optimizer->restore(state); }),
            std::string(
                "optimizer.updates in the optimizer's state is below 0 or not a number. Use "
                "another checkpoint."));
        QVERIFY(sameTensors(stepper.stateCopy(), before));
    }

    void refusedStepChangesNothing_data() { addOptimizers(); }

    void refusedStepChangesNothing()
    {
        QFETCH(QString, name);
        Stepper stepper(settingsOf(name.toStdString()));
        stepper.step(1);
        const at::Tensor parameters = stepper.parameters().clone();
        const NamedTensors state = stepper.stateCopy();
        stepper.step(2, /*refuse=*/true);
        QVERIFY(at::equal(stepper.parameters(), parameters));
        QVERIFY(sameTensors(stepper.stateCopy(), state));
    }

    void runGoesOnAsIfARefusedStepHadNotBeen_data() { addOptimizers(); }

    void runGoesOnAsIfARefusedStepHadNotBeen()
    {
        QFETCH(QString, name);
        Stepper interrupted(settingsOf(name.toStdString()));
        Stepper straight(settingsOf(name.toStdString()));
        interrupted.step(9, /*refuse=*/true); // also before the first step, which is special
        for (int step = 1; step <= 3; ++step) {
            interrupted.step(step);
            interrupted.step(9, /*refuse=*/true);
            straight.step(step);
        }
        QVERIFY(at::equal(interrupted.parameters(), straight.parameters()));
    }
};

QTEST_GUILESS_MAIN(TestOptimizer)
#include "tst_optimizer.moc"
