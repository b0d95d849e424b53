// SPDX-License-Identifier: Apache-2.0
#include "engine/training/accumulator.h"

#include <torch/utils.h>

#include "engine/data/gather.h"

namespace accrue {
namespace {

// Gives every parameter its gradient as a view of one zeroed tensor.
at::Tensor allocateGradients(Network& network)
{
    const auto parameters = network.parameters();
    std::int64_t count = 0;
    for (const at::Tensor& parameter : parameters)
        count += parameter.numel();
    const at::Tensor flat = at::zeros({ count }, parameters.front().options().requires_grad(false));
    std::int64_t begin = 0;
    for (const at::Tensor& parameter : parameters) {
        parameter.mutable_grad() =
            flat.narrow(/*dim=*/0, begin, parameter.numel()).view_as(parameter);
        begin += parameter.numel();
    }
    return flat;
}

} // namespace

Accumulator::Accumulator(Network& network, const ResidentDataSet& data, std::int64_t largestSlice)
    : m_network(network)
    , m_data(data)
    , m_flatGradient(allocateGradients(network))
{
    const auto options = m_flatGradient.options();
    auto shape = data.train.images.sizes().vec();
    shape.front() = largestSlice;
    m_images = at::empty(shape, options);
    m_labels = at::empty({ largestSlice }, options.dtype(at::kLong));
    m_weight = at::ones({}, options);
}

void Accumulator::beginWindow(std::int64_t samples)
{
    m_flatGradient.zero_();
    if (samples == m_windowSamples)
        return;
    m_windowSamples = samples;
    m_weight.fill_(1.0 / static_cast<double>(samples));
}

void Accumulator::add(const at::Tensor& indices, WindowMetrics& metrics, PhaseWatch& watch)
{
    at::Tensor images = m_images.narrow(/*dim=*/0, /*start=*/0, indices.size(0));
    at::Tensor labels = m_labels.narrow(/*dim=*/0, /*start=*/0, indices.size(0));
    gatherNormalized(m_data.train, m_data.mean, m_data.stddev, indices, images, labels);

    watch.enter(Phase::Forward);
    const at::Tensor logits = m_network.forward(images);
    const at::Tensor loss =
        at::cross_entropy_loss(logits, labels, /*weight=*/ {}, at::Reduction::Sum);

    watch.enter(Phase::Backward);
    loss.backward(m_weight);

    const torch::NoGradGuard noGrad;
    metrics.lossSum().add_(loss);
    metrics.correct().add_(logits.argmax(/*dim=*/1).eq_(labels).sum());
}

} // namespace accrue
