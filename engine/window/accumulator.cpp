// SPDX-License-Identifier: Apache-2.0
#include "engine/window/accumulator.h"

#include <torch/utils.h>

#include "engine/memory/memory_meter.h"

namespace accrue {
namespace {

// Gives every parameter its gradient as a view of one zeroed tensor, in the parameter's own order
// in memory, which the fused optimizers require.
at::Tensor allocateGradients(Network& network)
{
    const auto parameters = network.parameters();
    const at::Tensor flat =
        at::zeros({ network.parameterCount() }, parameters.front().options().requires_grad(false));
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

// Only releases. The new buffers are allocated when the next window begins, so that an
// out-of-memory error there is handled like any other of that window.
void Accumulator::holdSlices(std::int64_t largest)
{
    m_largest = largest;
    m_buffers = {};
}

void Accumulator::beginWindow(double scale)
{
    m_scale = scale;
    if (!m_buffers.labels.defined()) {
        m_buffers = MicroBatch(m_data.train, m_largest, m_flatGradient.scalar_type());
        ownMemory(m_buffers.images, MemoryCategory::Input, "pictures");
        ownMemory(m_buffers.labels, MemoryCategory::Input, "labels");
    }
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
    at::Tensor images = m_buffers.images.narrow(/*dim=*/0, /*start=*/0, slice.samples);
    at::Tensor labels = m_buffers.labels.narrow(/*dim=*/0, /*start=*/0, slice.samples);
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

// All samples have one weight, so the sum of the losses is enough, and backward starts with the
// weight instead of 1: a multiplication of the loss would be one more operator in each pass. The
// weight's tensor is only filled when it changes.
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

// With batch.reduction = sum a sample weighs 1 / samples of its planned slice. Smaller
// micro-batches, after an out-of-memory error, may straddle two planned slices of different size.
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
