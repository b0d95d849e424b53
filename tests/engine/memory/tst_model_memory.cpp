// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/memory_meter.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <QTest>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "engine/model/registry.h"
#include "tests/support/accelerator_device.h"

using namespace accrue;

// What the windows of real models hold.
namespace {

std::int64_t of(const CategoryBytes& bytes, MemoryCategory category)
{
    return bytes[static_cast<std::size_t>(category)];
}

ModelSettings settingsOf(ModelName model)
{
    ModelSettings settings;
    settings.name = model;
    settings.norm = model == ModelName::ResNet18 ? Norm::Batch : Norm::None;
    settings.stem = Stem::Cifar;
    return settings;
}

// Windows of one model, as the session has them: all that lives from one to the next is named.
class Training {
public:
    Training(ModelName model, std::int64_t largest, Metering metering, at::Device device = at::kCPU)
        : m_meter(device, metering)
        , m_network(makeModel(settingsOf(model), {}, /*seed=*/1))
        , m_images(at::empty({ largest, 1, 28, 28 }, device))
        , m_labels(at::zeros({ largest }, m_images.options().dtype(at::kLong)))
    {
        m_network->to(device);
        for (const auto& parameter : m_network->named_parameters()) {
            parameter.value().mutable_grad() = at::zeros_like(parameter.value());
            ownMemory(parameter.value(), MemoryCategory::Parameters, parameter.key());
            ownMemory(parameter.value().grad(), MemoryCategory::Gradients, parameter.key());
        }
        for (const auto& buffer : m_network->named_buffers())
            ownMemory(buffer.value(), MemoryCategory::Buffers, buffer.key());
        ownMemory(m_images, MemoryCategory::Input, "pictures");
        ownMemory(m_labels, MemoryCategory::Input, "labels");
    }

    std::vector<PhaseMemory> window(std::int64_t samples, int microBatches)
    {
        m_meter.beginWindow(samples, samples * microBatches);
        for (int microBatch = 1; microBatch <= microBatches; ++microBatch)
            learn(samples, microBatch);
        m_meter.enter(MemoryPhase::Optimizer, 0, samples * microBatches);
        const at::NoGradGuard noGrad;
        for (const at::Tensor& parameter : m_network->parameters())
            parameter.add_(parameter.grad(), -0.001);
        return m_meter.endWindow();
    }

    MemoryMeter& meter() { return m_meter; }

private:
    void learn(std::int64_t samples, int microBatch)
    {
        m_meter.enter(MemoryPhase::Data, microBatch, samples);
        const at::Tensor images = m_images.narrow(0, 0, samples).fill_(0.5);
        m_meter.enter(MemoryPhase::Forward, microBatch, samples);
        const at::Tensor loss = at::cross_entropy_loss(
            m_network->logits(images), m_labels.narrow(0, 0, samples), {}, at::Reduction::Sum);
        m_meter.enter(MemoryPhase::Backward, microBatch, samples);
        loss.backward();
    }

    MemoryMeter m_meter;
    std::shared_ptr<Network> m_network;
    at::Tensor m_images;
    at::Tensor m_labels;
};

std::int64_t peakOf(const std::vector<PhaseMemory>& phases)
{
    std::int64_t peak = 0;
    for (const PhaseMemory& phase : phases)
        peak = std::max(peak, phase.peakBytes);
    return peak;
}

std::int64_t forwardPeakOf(ModelName model, std::int64_t samples)
{
    return Training(model, samples, Metering::Window).window(samples, 1).at(1).peakBytes;
}

std::set<std::string> layersIn(const PhaseMemory& phase, MemoryCategory category)
{
    std::set<std::string> layers;
    for (const MemoryOwner& owner : phase.owners)
        if (owner.category == category)
            layers.insert(owner.layer);
    return layers;
}

std::string written(const PhaseMemory& phase)
{
    std::string text =
        std::string(nameOf(phase.phase)) + " " + std::to_string(phase.peakBytes) + ":";
    for (const MemoryOwner& owner : phase.owners)
        text += std::string("\n  ") + memoryCategoryName(owner.category) + " [" + owner.layer
            + "] [" + owner.operation + "] " + std::to_string(owner.bytes);
    return text;
}

// Each owner of 1 % or more has a name, so each block of 1 % or more has.
void expectNamed(const PhaseMemory& phase)
{
    std::int64_t listed = 0;
    for (const MemoryOwner& owner : phase.owners) {
        listed += owner.bytes;
        const bool isNamed = !owner.layer.empty() || !owner.operation.empty();
        QVERIFY2(isNamed || owner.bytes * 100 < phase.peakBytes, written(phase).c_str());
    }
    QVERIFY2(listed > 0.95 * static_cast<double>(phase.peakBytes), written(phase).c_str());
}

} // namespace

class TestModelMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        acceleratorDevice();
        at::set_num_threads(1);
    }

    void whatIsLargeHasALayerOrAnOperator_data()
    {
        QTest::addColumn<ModelName>("model");
        QTest::addColumn<std::string>("first");
        QTest::addColumn<std::string>("last");
        QTest::newRow("LeNet-5") << ModelName::LeNet5 << std::string("conv1")
                                 << std::string("conv1");
        QTest::newRow("MLP") << ModelName::Mlp << std::string("fc1") << std::string("fc2");
        QTest::newRow("VGG") << ModelName::Vgg << std::string("convs.0") << std::string("convs.2");
        QTest::newRow("ResNet-18")
            << ModelName::ResNet18 << std::string("bn1") << std::string("layer4.1.bn1");
    }

    void whatIsLargeHasALayerOrAnOperator()
    {
        QFETCH(ModelName, model);
        QFETCH(std::string, first);
        QFETCH(std::string, last);
        Training training(model, 16, Metering::Full);
        std::set<std::string> layers;
        for (const PhaseMemory& phase : training.window(16, 2)) {
            QCOMPARE(std::accumulate(phase.atPeak.begin(), phase.atPeak.end(), std::int64_t { 0 }),
                phase.peakBytes);
            expectNamed(phase);
            layers.merge(layersIn(phase, MemoryCategory::Activations));
        }
        QVERIFY(layers.count(first) == 1 && layers.count(last) == 1);
    }

    void scratchOfABackwardPassIsItsNodesAndItsLayers()
    {
        Training training(ModelName::LeNet5, 32, Metering::Window);
        const std::vector<PhaseMemory> phases = training.window(32, 1);
        const PhaseMemory& backward = phases.at(2);
        QVERIFY(backward.phase == MemoryPhase::Backward);
        const auto isScratch = [](const MemoryOwner& owner) {
            return owner.category == MemoryCategory::Workspace
                && owner.operation.ends_with("Backward0") && !owner.layer.empty();
        };
        QVERIFY2(std::any_of(backward.owners.begin(), backward.owners.end(), isScratch),
            written(backward).c_str());
    }

    // Later windows hold the same as the first ones.
    void windowsNameOperatorsThroughout()
    {
        Training training(ModelName::LeNet5, 32, Metering::Window);
        for (const std::int64_t samples : { 32, 32, 32, 32, 16, 16, 16, 32 }) {
            const PhaseMemory forward = training.window(samples, 1).at(1);
            const auto isConvolution = [](const MemoryOwner& owner) {
                return owner.layer == "conv1" && owner.operation == "aten::conv2d";
            };
            QVERIFY2(std::any_of(forward.owners.begin(), forward.owners.end(), isConvolution),
                written(forward).c_str());
        }
    }

    // 3,136 of the picture, 8 of its label, 2 × 2,048 of the hidden layers' outputs, 2 × 40 of the
    // last one's and its log-softmax; exactly linear.
    void aSampleOfTheMlpCosts7320Bytes()
    {
        for (const std::int64_t samples : { 8, 9, 16, 31, 32, 63 })
            QCOMPARE(
                forwardPeakOf(ModelName::Mlp, samples + 1) - forwardPeakOf(ModelName::Mlp, samples),
                7'320);
    }

    // 18,816 of conv1's output, 3,136 of the picture, 8 of its label, and scratch, whose size is
    // the choice of LibTorch's kernels for this processor. Where a micro-batch is small, its
    // backward pass is what costs most.
    void aSampleOfLeNet5CostsWhatItsTensorsDoAndScratch()
    {
        for (const std::int64_t samples : { 8, 9, 16, 31, 32, 63 })
            QVERIFY(forwardPeakOf(ModelName::LeNet5, samples + 1)
                    - forwardPeakOf(ModelName::LeNet5, samples)
                >= 18'816 + 3'136 + 8);
    }

    // Also those that were not made yet at the peak, which is in conv1.
    void whatTheBackwardPassNeedsIsToldByLayer()
    {
        for (const Metering metering : { Metering::Window, Metering::Full }) {
            Training training(ModelName::LeNet5, 32, metering);
            training.window(32, 1);
            const PhaseMemory forward = training.window(32, 1).at(1);
            std::map<std::string, std::int64_t> samples;
            std::int64_t all = 0;
            for (const LayerBytes& kept : forward.kept) {
                samples[kept.layer] = kept.bytes / 32;
                all += kept.bytes;
            }
            QCOMPARE(all, of(forward.atEnd, MemoryCategory::Activations));
            // The output of the convolution, and the places of the greatest of four.
            QCOMPARE(samples["conv1"], 6 * 28 * 28 * 4 + 6 * 14 * 14 * (4 + 8));
            QCOMPARE(samples["conv2"], 16 * 10 * 10 * 4 + 16 * 5 * 5 * (4 + 8));
            QCOMPARE(samples["fc1"], 120 * 4);
            QCOMPARE(forward.kept.front().layer, std::string("conv1"));
        }
    }

    void stepsCostNothing()
    {
        Training training(ModelName::LeNet5, 32, Metering::Full);
        const std::int64_t one = peakOf(training.window(32, 1));
        for (const int steps : { 2, 8 })
            QCOMPARE(peakOf(training.window(32, steps)), one);
    }

    void aWindowMeasuresOneMicroBatchAsAllOfThem()
    {
        Training training(ModelName::LeNet5, 32, Metering::Window);
        const std::vector<PhaseMemory> phases = training.window(32, 4);
        QCOMPARE(phases.size(), std::size_t { 4 });
        QCOMPARE(peakOf(phases), training.meter().peakBytes());
        QVERIFY(of(phases[1].atEnd, MemoryCategory::Activations) > 0);
        QCOMPARE(of(phases[3].atEnd, MemoryCategory::Activations), 0);
    }

    void onADeviceWhatIsLargeHasAName()
    {
        if (!acceleratorDevice())
            QSKIP("no CUDA device here");
        Training training(ModelName::ResNet18, 64, Metering::Full, *acceleratorDevice());
        training.window(64, 1); // what libraries allocate once
        const std::vector<PhaseMemory> phases = training.window(64, 2);
        QCOMPARE(peakOf(phases), training.meter().peakBytes());
        for (const PhaseMemory& phase : phases) {
            QCOMPARE(std::accumulate(phase.atPeak.begin(), phase.atPeak.end(), std::int64_t { 0 }),
                phase.peakBytes);
            expectNamed(phase);
        }
    }
};

QTEST_GUILESS_MAIN(TestModelMemory)
#include "tst_model_memory.moc"
