// SPDX-License-Identifier: Apache-2.0
#include "engine/window/parameter_average.h"

#include <memory>

#include <QTest>

#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/linear.h>
#include <torch/utils.h>

#include "engine/checkpoint/checkpoint.h"
#include "engine/memory/memory_meter.h"
#include "engine/window/optimizer.h"
#include "tests/engine/session/training_fixture.h"
#include "tests/support/accelerator_device.h"

using namespace accrue;
using namespace accrue::test;

namespace {

at::Tensor verdict(bool refused, at::Device device = at::kCPU)
{
    return at::full({}, refused ? 1.0 : 0.0, at::TensorOptions().dtype(at::kFloat).device(device));
}

// A linear layer 3 → 2 and its average, as in the reference script.
struct Averaged {
    explicit Averaged(double decay, at::ScalarType type = at::kDouble)
    {
        layer->to(at::kDouble);
        fillByWave(*layer);
        layer->to(type);
        average = std::make_unique<ParameterAverage>(*layer, decay);
    }

    void step(int number, bool refused = false)
    {
        const torch::NoGradGuard noGrad;
        double shift = number;
        for (const at::Tensor& parameter : layer->parameters()) {
            parameter.copy_(wave(parameter.numel(), shift).reshape(parameter.sizes()));
            shift += 10;
        }
        average->update(verdict(refused));
    }

    at::Tensor averages() const
    {
        std::vector<at::Tensor> parts;
        for (const auto& entry : average->state())
            parts.push_back(entry.second.flatten());
        return at::cat(parts);
    }

    torch::nn::Linear layer { 3, 2 };
    std::unique_ptr<ParameterAverage> average;
};

NamedTensors copied(const NamedTensors& tensors)
{
    NamedTensors copies;
    for (const auto& [name, tensor] : tensors)
        copies.emplace_back(name, tensor.clone());
    return copies;
}

} // namespace

class TestParameterAverage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { acceleratorDevice(); }

    void averagesEqualThoseOfPython_data()
    {
        QTest::addColumn<double>("decay");
        for (const auto& [decay, types] : references()["averages"].items())
            QTest::newRow(decay.c_str()) << std::stod(decay);
    }

    void averagesEqualThoseOfPython()
    {
        QFETCH(double, decay);
        const auto& types = references()["averages"][QTest::currentDataTag()];
        for (const at::ScalarType type : { at::kDouble, at::kFloat }) {
            const bool wide = type == at::kDouble;
            Averaged averaged(decay, type);
            int number = 0;
            for (const auto& expected : types[wide ? "float64" : "float32"]) {
                averaged.step(++number);
                const at::Tensor known =
                    at::tensor(expected.get<std::vector<double>>(), at::kDouble);
                const at::Tensor difference = averaged.averages().to(at::kDouble) - known;
                QVERIFY((difference.norm() / known.norm()).item<double>() < (wide ? 1e-15 : 1e-7));
            }
            QCOMPARE(number, 5);
        }
    }

    void theFirstAverageIsTheInitialParameters()
    {
        const Averaged averaged(0.9);
        QVERIFY(at::equal(averaged.averages(),
            at::cat({ averaged.layer->weight.flatten(), averaged.layer->bias })));
    }

    void aRefusedStepChangesNothing_data()
    {
        QTest::addColumn<double>("decay");
        QTest::newRow("slow") << 0.999;
        QTest::newRow("quick") << 0.1; // the weight of the new parameters is above a half
    }

    void aRefusedStepChangesNothing()
    {
        QFETCH(double, decay);
        for (const at::ScalarType type : { at::kDouble, at::kFloat }) {
            Averaged averaged(decay, type);
            averaged.step(1);
            const NamedTensors before = copied(averaged.average->state());
            averaged.step(2, /*refused=*/true);
            QVERIFY(sameTensors(averaged.average->state(), before));
            averaged.step(2);
            QVERIFY(!sameTensors(averaged.average->state(), before));
        }
    }

    void noTensorOfTheParametersSizeIsAllocated()
    {
        const torch::nn::Linear layer(300, 300);
        MemoryMeter meter(at::kCPU);
        ParameterAverage average(*layer, 0.9);
        average.update(verdict(false));
        meter.resetPeak();
        const std::int64_t before = meter.peakBytes();
        average.update(verdict(false));
        {
            const AveragedWeights weights(average);
        }
        QVERIFY(meter.peakBytes() - before <= 1024);
    }

    void aRestoredAverageGoesOnBitForBit()
    {
        Averaged straight(0.9, at::kFloat);
        Averaged first(0.9, at::kFloat);
        for (int step = 1; step <= 6; ++step)
            straight.step(step);
        for (int step = 1; step <= 3; ++step)
            first.step(step);
        Averaged second(0.9, at::kFloat);
        second.average->restore(first.average->state());
        for (int step = 4; step <= 6; ++step)
            second.step(step);
        QVERIFY(sameTensors(second.average->state(), straight.average->state()));
    }

    void aStateOfOtherParametersIsRefused()
    {
        Averaged averaged(0.9);
        NamedTensors state = copied(averaged.average->state());
        state.pop_back();
        QCOMPARE(sentenceOf([&] { averaged.average->restore(state); }),
            std::string("The average of the parameters in the checkpoint lacks ema.bias."));
    }

    void theAveragesStandInForTheParametersAndGoAgain()
    {
        Averaged averaged(0.9);
        averaged.step(1);
        const NamedTensors own = copied(namedState(*averaged.layer));
        const at::Tensor averages = averaged.averages().clone();
        const void* const address = averaged.layer->weight.const_data_ptr();
        const at::Tensor input = wave(3, 0);
        {
            const AveragedWeights weights(*averaged.average);
            QVERIFY(at::equal(averaged.layer->weight.flatten(), averages.narrow(0, 0, 6)));
            QVERIFY(at::equal(averaged.layer->bias, averages.narrow(0, 6, 2)));
            const torch::NoGradGuard noGrad;
            QVERIFY(at::allclose(averaged.layer->forward(input),
                at::mv(averages.narrow(0, 0, 6).reshape({ 2, 3 }), input)
                    + averages.narrow(0, 6, 2)));
        }
        QVERIFY(sameTensors(namedState(*averaged.layer), own));
        QCOMPARE(averaged.layer->weight.const_data_ptr(), address);
        QVERIFY(at::equal(averaged.averages(), averages));
    }

    // The optimizer, the accumulator's flat gradient and autograd hold on to the parameters.
    void trainingGoesOnAsIfNothingHadBeenSwapped()
    {
        const auto trained = [](bool evaluates) {
            Averaged averaged(0.9);
            for (const at::Tensor& parameter : averaged.layer->parameters())
                parameter.mutable_grad() = at::zeros_like(parameter);
            const auto optimizer =
                makeOptimizer({ .name = OptimizerName::Sgd, .lr = 0.1 }, *averaged.layer);
            for (int step = 1; step <= 4; ++step) {
                for (const at::Tensor& parameter : averaged.layer->parameters())
                    parameter.mutable_grad().zero_();
                averaged.layer->forward(wave(3, step)).pow(2).sum().backward();
                optimizer->step(0.1, verdict(false));
                averaged.average->update(verdict(false));
                if (evaluates)
                    const AveragedWeights weights(*averaged.average);
            }
            NamedTensors all = copied(namedState(*averaged.layer));
            for (const auto& entry : averaged.average->state())
                all.push_back(entry);
            return all;
        };
        QVERIFY(sameTensors(trained(true), trained(false)));
    }

    void buffersStay()
    {
        torch::nn::BatchNorm1d norm(3);
        ParameterAverage average(*norm, 0.9);
        norm->forward(wave(12, 0).reshape({ 4, 3 }).to(at::kFloat));
        const at::Tensor mean = norm->running_mean.clone();
        const AveragedWeights weights(average);
        QVERIFY(at::equal(norm->running_mean, mean));
        QCOMPARE(average.state().size(), std::size_t { 2 });
    }

    void aDeviceAveragesAlike()
    {
        if (!acceleratorDevice())
            QSKIP("no CUDA device here");
        Averaged onCpu(0.9, at::kFloat);
        Averaged onDevice(0.9, at::kFloat);
        onDevice.layer->to(*acceleratorDevice());
        onDevice.average = std::make_unique<ParameterAverage>(*onDevice.layer, 0.9);
        const at::Device device = onDevice.layer->weight.device();
        for (int step = 1; step <= 4; ++step) {
            const bool refused = step == 2;
            onCpu.step(step, refused);
            const torch::NoGradGuard noGrad;
            onDevice.layer->weight.copy_(onCpu.layer->weight);
            onDevice.layer->bias.copy_(onCpu.layer->bias);
            onDevice.average->update(verdict(refused, device));
        }
        QVERIFY(at::allclose(onDevice.averages().cpu(), onCpu.averages(), 1e-6, 1e-7));
        const AveragedWeights weights(*onDevice.average);
        QVERIFY(at::equal(onDevice.layer->bias, onDevice.averages().narrow(0, 6, 2)));
    }
};

QTEST_GUILESS_MAIN(TestParameterAverage)
#include "tst_parameter_average.moc"
