// SPDX-License-Identifier: Apache-2.0
#include "engine/training/optimizer.h"

#include <QTest>

#include <torch/nn/modules/linear.h>
#include <torch/utils.h>

#include "tests/engine/training/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

OptimizerSettings settingsOf(const std::string& name)
{
    OptimizerSettings settings { .name = OptimizerName::Sgd, .lr = 0.1 };
    if (name == "sgd")
        settings.momentum = 0;
    if (name == "sgd dampening")
        settings.dampening = 0.3;
    settings.nesterov = name == "sgd nesterov";
    if (name.rfind("adam", 0) == 0)
        settings.name = name.rfind("adamw", 0) == 0 ? OptimizerName::AdamW : OptimizerName::Adam;
    if (name == "sgd decay" || name == "adam decay" || name == "adamw")
        settings.weightDecay = 0.05;
    if (name == "adam decay") {
        settings.beta1 = 0.8;
        settings.beta2 = 0.95;
        settings.eps = 1e-6;
    }
    return settings;
}

// A linear layer 3 → 2 and its optimizer, as in the reference script.
struct Stepper {
    explicit Stepper(const OptimizerSettings& settings)
    {
        layer->to(at::kDouble);
        fillByWave(*layer);
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
    void fiveStepsEqualThoseOfPython_data() { addOptimizers(); }

    void fiveStepsEqualThoseOfPython()
    {
        QFETCH(QString, name);
        const auto& expected = references()["optimizers"][name.toStdString()];
        Stepper stepper(settingsOf(name.toStdString()));
        for (int step = 1; step <= 5; ++step) {
            stepper.step(step);
            const auto known =
                expected[static_cast<std::size_t>(step - 1)].get<std::vector<double>>();
            const at::Tensor difference = stepper.parameters() - at::tensor(known, at::kDouble);
            QVERIFY(difference.abs().max().item<double>() < 1e-12);
        }
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
