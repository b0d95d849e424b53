// SPDX-License-Identifier: Apache-2.0
#include "engine/session/evaluation.h"

#include <algorithm>

#include <c10/util/ScopeExit.h>
#include <torch/utils.h>

#include "engine/experiment/window_sequence.h"
#include "engine/memory/memory_meter.h"
#include "engine/tensors/gather.h"

namespace accrue {

std::optional<Evaluation> evaluate(Network& network, const ResidentDataSet& data,
    const ResidentSplit& split, std::int64_t batch, const std::function<bool()>& mayContinue,
    World& world)
{
    const torch::NoGradGuard noGrad;
    // Also if a pass throws: the run may retry it in smaller passes and then train on.
    const auto trainAgain = c10::make_scope_exit([&] { network.train(); });
    network.eval();
    const std::int64_t samples = split.samples();
    const at::Tensor order = at::arange(samples, split.labels.options());
    const MicroBatch buffers(
        split, std::min(batch, samples), network.parameters().front().scalar_type());
    ownMemory(order, MemoryCategory::Workspace, "order of samples");
    ownMemory(buffers.images, MemoryCategory::Input, "pictures");
    ownMemory(buffers.labels, MemoryCategory::Input, "labels");
    // Summed on the device and read once at the end, so that no pass waits for the host.
    const at::Tensor sums = at::zeros({ 2 }, split.labels.options().dtype(at::kDouble));
    at::Tensor lossSum = sums[0];
    at::Tensor correct = sums[1];

    const std::int64_t pass = batch * world.size(); // of all ranks
    for (std::int64_t begin = 0; begin < samples; begin += pass) {
        if (!mayContinue())
            return std::nullopt;
        const Slice share = shareOf({ .begin = begin, .samples = std::min(pass, samples - begin) },
            world.rank(), world.size());
        at::Tensor images = buffers.images.narrow(/*dim=*/0, /*start=*/0, share.samples);
        at::Tensor labels = buffers.labels.narrow(/*dim=*/0, /*start=*/0, share.samples);
        gatherNormalized(split, data.mean, data.stddev,
            order.narrow(/*dim=*/0, share.begin, share.samples), images, labels);
        const at::Tensor logits = network.logits(images);
        lossSum.add_(at::cross_entropy_loss(logits, labels, /*weight=*/ {}, at::Reduction::Sum));
        correct.add_(logits.argmax(/*dim=*/1).eq_(labels).sum());
    }
    // Another rank may have run out of memory in its last pass.
    if (world.size() > 1 && !mayContinue())
        return std::nullopt;
    world.sum(sums);
    const at::Tensor onHost = sums.cpu();
    const double* values = onHost.const_data_ptr<double>();
    const auto count = static_cast<double>(samples);
    return Evaluation { .loss = values[0] / count, .accuracy = values[1] / count };
}

Evaluated evaluatedAt(
    const Position& at, const Evaluation& test, const std::optional<Evaluation>& validation)
{
    Evaluated event { .epoch = at.epoch,
        .step = at.step,
        .samples = at.samples,
        .microBatches = at.microBatches,
        .seconds = at.seconds,
        .testLoss = test.loss,
        .testAccuracy = test.accuracy };
    if (validation) {
        event.validationLoss = validation->loss;
        event.validationAccuracy = validation->accuracy;
    }
    return event;
}

// BatchNorm's running statistics lag behind the parameters. 200 passes give nearly the statistics
// of the whole training set at a fraction of its time.
bool recomputeStatistics(Network& network, const ResidentDataSet& data, const EpochOrder& order,
    std::int64_t micro, const std::function<bool()>& mayContinue, const World& world)
{
    constexpr std::int64_t kMostPasses = 200;
    const torch::NoGradGuard noGrad;
    const std::int64_t samples = std::min(order.indices().size(0), kMostPasses * micro);
    const std::int64_t pass = std::min(micro, samples);
    MicroBatch batch(data.train, pass, network.parameters().front().scalar_type());
    // If a pass throws or the run is stopped, the running statistics stay as they were.
    const auto abandon = c10::make_scope_exit([&] { network.abandonStatistics(); });
    network.beginStatistics();
    // Whole passes only: the rest may be a single sample, which BatchNorm refuses.
    for (std::int64_t begin = 0; begin + pass <= samples; begin += pass) {
        if (!mayContinue())
            return false;
        gatherNormalized(data.train, data.mean, data.stddev,
            order.indices().narrow(/*dim=*/0, begin, pass), batch.images, batch.labels,
            order.augmentation());
        network.logits(batch.images);
    }
    if (world.size() > 1 && !mayContinue())
        return false;
    network.endStatistics();
    return true;
}

} // namespace accrue
