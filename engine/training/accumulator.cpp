// SPDX-License-Identifier: Apache-2.0
#include "engine/training/accumulator.h"

#include <torch/utils.h>

#include "engine/data/gather.h"
#include "engine/memory/memory_meter.h"

namespace accrue {
namespace {

// Gives every parameter its gradient as a view of one zeroed tensor, in the parameter's own order
// in memory, which the fused optimizers require.
at::Tensor allocateGradients(Network& network)
{
    const auto parameters = network.parameters();
    std::int64_t count = 0;
    for (const at::Tensor& parameter : parameters)
        count += parameter.numel();
    const at::Tensor flat = at::zeros({ count }, parameters.front().options().requires_grad(false));
    std::int64_t begin = 0;
    for (const at::Tensor& parameter : parameters) {
        parameter.mutable_grad() = flat.as_strided(parameter.sizes(), parameter.strides(), begin);
        begin += parameter.numel();
    }
    return flat;
}

} // namespace

Accumulator::Accumulator(Network& network, const ResidentDataSet& data, std::int64_t largestSlice)
    : m_network(network)
    , m_data(data)
    , m_flatGradient(allocateGradients(network))
    , m_largest(largestSlice)
{
    m_weight = at::ones({}, m_flatGradient.options());
    ownMemory(m_flatGradient, MemoryCategory::Gradients, "gradients");
}

void Accumulator::allocateBuffers()
{
    const auto options = m_flatGradient.options();
    auto shape = m_data.train.images.sizes().vec();
    shape.front() = m_largest;
    m_images = at::empty(shape, options);
    m_labels = at::empty({ m_largest }, options.dtype(at::kLong));
    ownMemory(m_images, MemoryCategory::Input, "pictures");
    ownMemory(m_labels, MemoryCategory::Input, "labels");
}

void Accumulator::holdSlices(std::int64_t largest)
{
    m_largest = largest;
    m_images.reset();
    m_labels.reset();
}

void Accumulator::beginWindow(double scale)
{
    m_scale = scale;
    if (!m_labels.defined())
        allocateBuffers();
    m_flatGradient.zero_();
}

void Accumulator::endWindow()
{
    if (m_scale != 1)
        m_flatGradient.mul_(1 / m_scale);
}

void Accumulator::add(
    const at::Tensor& order, const Slice& slice, WindowMetrics& metrics, PhaseWatch& watch)
{
    at::Tensor images = m_images.narrow(/*dim=*/0, /*start=*/0, slice.samples);
    at::Tensor labels = m_labels.narrow(/*dim=*/0, /*start=*/0, slice.samples);
    gatherNormalized(m_data.train, m_data.mean, m_data.stddev,
        order.narrow(/*dim=*/0, slice.begin, slice.samples), images, labels, m_augmentation);

    watch.enter(Phase::Forward);
    const at::Tensor logits = m_network.logits(images);
    if (slice.weights.empty())
        backwardEqual(logits, labels, slice.weight, metrics, watch);
    else
        backwardEach(logits, labels, slice.weights, metrics, watch);

    const torch::NoGradGuard noGrad;
    metrics.correct().add_(logits.argmax(/*dim=*/1).eq_(labels).sum());
}

void Accumulator::backwardEqual(const at::Tensor& logits, const at::Tensor& labels, double weight,
    WindowMetrics& metrics, PhaseWatch& watch)
{
    const at::Tensor loss =
        at::cross_entropy_loss(logits, labels, /*weight=*/ {}, at::Reduction::Sum);
    watch.enter(Phase::Backward);
    if (m_scale * weight != m_weightValue)
        m_weight.fill_(m_weightValue = m_scale * weight);
    loss.backward(m_weight);
    const torch::NoGradGuard noGrad;
    metrics.lossSum().add_(loss);
}

void Accumulator::backwardEach(const at::Tensor& logits, const at::Tensor& labels,
    const std::vector<double>& weights, WindowMetrics& metrics, PhaseWatch& watch)
{
    const at::Tensor losses =
        at::cross_entropy_loss(logits, labels, /*weight=*/ {}, at::Reduction::None);
    watch.enter(Phase::Backward);
    losses.backward(at::tensor(weights, losses.options().requires_grad(false)).mul_(m_scale));
    const torch::NoGradGuard noGrad;
    metrics.lossSum().add_(losses.sum());
}

} // namespace accrue
