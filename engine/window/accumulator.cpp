// SPDX-License-Identifier: Apache-2.0
#include "engine/window/accumulator.h"

#include <torch/utils.h>

#include "engine/memory/memory_meter.h"

namespace accrue {

at::Tensor allocateGradients(Network& network, std::int64_t values)
{
    const auto parameters = network.parameters();
    const at::Tensor flat =
        at::zeros({ values }, parameters.front().options().requires_grad(false));
    std::int64_t begin = 0;
    for (const at::Tensor& parameter : parameters) {
        parameter.mutable_grad() = flat.as_strided(parameter.sizes(), parameter.strides(), begin);
        begin += parameter.numel();
    }
    ownMemory(flat, MemoryCategory::Gradients, "gradients");
    return flat;
}

Accumulator::Accumulator(Network& network, const ResidentDataSet& data, std::int64_t largestSlice)
    : m_network(network)
    , m_data(data)
    , m_largest(largestSlice)
    , m_weight(at::ones({}, network.parameters().front().options().requires_grad(false)))
{
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
    if (m_buffers.labels.defined())
        return;
    m_buffers = MicroBatch(m_data.train, m_largest, m_weight.scalar_type());
    ownMemory(m_buffers.images, MemoryCategory::Input, "pictures");
    ownMemory(m_buffers.labels, MemoryCategory::Input, "labels");
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
    const bool alike = slice.weights.empty();
    const at::Tensor loss = at::cross_entropy_loss(
        logits, labels, /*weight=*/ {}, alike ? at::Reduction::Sum : at::Reduction::None);
    watch.enter(Phase::Backward);
    loss.backward(weightsOf(slice, loss.options()));

    const torch::NoGradGuard noGrad;
    metrics.lossSum().add_(alike ? loss : loss.sum());
    metrics.correct().add_(logits.argmax(/*dim=*/1).eq_(labels).sum());
}

at::Tensor Accumulator::noPictures() const
{
    std::vector<std::int64_t> sizes = m_data.train.images.sizes().vec();
    sizes.front() = 0;
    return at::empty(sizes, m_weight.options());
}

// The tensor that backward starts with. If all samples have one weight, the sum of the losses is
// enough, and backward starts with the weight instead of 1: a multiplication of the loss would be
// one more operator in each pass. The weight's tensor is only filled when it changes. With
// batch.reduction = sum a sample weighs 1 / samples of its planned slice, and smaller
// micro-batches, after an out-of-memory error, may straddle two planned slices of different size.
at::Tensor Accumulator::weightsOf(const Slice& slice, const at::TensorOptions& options)
{
    if (!slice.weights.empty())
        return at::tensor(slice.weights, options.requires_grad(false)).mul_(m_scale);
    if (m_scale * slice.weight != m_weightValue)
        m_weight.fill_(m_weightValue = m_scale * slice.weight);
    return m_weight;
}

} // namespace accrue
