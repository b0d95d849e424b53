// SPDX-License-Identifier: Apache-2.0
#include "engine/training/evaluation.h"

#include <algorithm>

#include <torch/utils.h>

#include "engine/data/gather.h"
#include "engine/memory/memory_meter.h"

namespace accrue {
namespace {

class EvalMode {
public:
    explicit EvalMode(Network& network)
        : m_network(network)
    {
        m_network.eval();
    }
    ~EvalMode() { m_network.train(); }
    EvalMode(const EvalMode&) = delete;
    EvalMode& operator=(const EvalMode&) = delete;

private:
    Network& m_network;
};

// Between beginStatistics and endStatistics; a pass that is left earlier changes nothing.
class StatisticsMode {
public:
    explicit StatisticsMode(Network& network)
        : m_network(network)
    {
        m_network.beginStatistics();
    }
    ~StatisticsMode() { m_network.giveUpStatistics(); }
    StatisticsMode(const StatisticsMode&) = delete;
    StatisticsMode& operator=(const StatisticsMode&) = delete;

private:
    Network& m_network;
};

} // namespace

std::optional<Evaluation> evaluate(Network& network, const ResidentDataSet& data,
    const ResidentSplit& split, std::int64_t batch, const std::function<bool()>& goesOn)
{
    const torch::NoGradGuard noGrad;
    const EvalMode evalMode(network);
    const std::int64_t samples = split.samples();
    const auto options = network.parameters().front().options().requires_grad(false);
    const at::Tensor order = at::arange(samples, options.dtype(at::kLong));
    auto shape = split.images.sizes().vec();
    shape.front() = std::min(batch, samples);
    const at::Tensor imageBuffer = at::empty(shape, options);
    const at::Tensor labelBuffer = at::empty({ shape.front() }, options.dtype(at::kLong));
    ownMemory(order, MemoryCategory::Workspace, "order of samples");
    ownMemory(imageBuffer, MemoryCategory::Input, "pictures");
    ownMemory(labelBuffer, MemoryCategory::Input, "labels");
    const at::Tensor sums = at::zeros({ 2 }, options.dtype(at::kDouble));
    at::Tensor lossSum = sums[0];
    at::Tensor correct = sums[1];

    for (std::int64_t begin = 0; begin < samples; begin += batch) {
        if (!goesOn())
            return std::nullopt;
        const std::int64_t count = std::min(batch, samples - begin);
        at::Tensor images = imageBuffer.narrow(/*dim=*/0, /*start=*/0, count);
        at::Tensor labels = labelBuffer.narrow(/*dim=*/0, /*start=*/0, count);
        gatherNormalized(
            split, data.mean, data.stddev, order.narrow(/*dim=*/0, begin, count), images, labels);
        const at::Tensor logits = network.logits(images);
        lossSum.add_(at::cross_entropy_loss(logits, labels, /*weight=*/ {}, at::Reduction::Sum));
        correct.add_(logits.argmax(/*dim=*/1).eq_(labels).sum());
    }
    const at::Tensor onHost = sums.cpu();
    const double* values = onHost.const_data_ptr<double>();
    const auto count = static_cast<double>(samples);
    return Evaluation { .loss = values[0] / count, .accuracy = values[1] / count };
}

bool recomputeStatistics(Network& network, const ResidentDataSet& data,
    const Augmentation& augmentation, const at::Tensor& order, std::int64_t micro,
    const std::function<bool()>& goesOn)
{
    constexpr std::int64_t kMostPasses = 200;
    const torch::NoGradGuard noGrad;
    const auto options = network.parameters().front().options().requires_grad(false);
    const std::int64_t samples = std::min(order.size(0), kMostPasses * micro);
    auto shape = data.train.images.sizes().vec();
    shape.front() = std::min(micro, samples);
    at::Tensor images = at::empty(shape, options);
    at::Tensor labels = at::empty({ shape.front() }, options.dtype(at::kLong));
    const StatisticsMode statistics(network);
    // Whole passes only: BatchNorm may not take what is left.
    for (std::int64_t begin = 0; begin + shape.front() <= samples; begin += shape.front()) {
        if (!goesOn())
            return false;
        gatherNormalized(data.train, data.mean, data.stddev,
            order.narrow(/*dim=*/0, begin, shape.front()), images, labels, augmentation);
        network.logits(images);
    }
    network.endStatistics();
    return true;
}

} // namespace accrue
