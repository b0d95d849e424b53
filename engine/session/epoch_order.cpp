// SPDX-License-Identifier: Apache-2.0
#include "engine/session/epoch_order.h"

#include <vector>

#include <ATen/ATen.h>

#include "engine/memory/memory_meter.h"

namespace accrue {

EpochOrder::EpochOrder(const Experiment& experiment, std::int64_t samples, at::Device device)
    : m_settings(experiment.data.augment)
    , m_seed(experiment.run.seed)
    , m_sampler { samples, experiment.run.seed, experiment.data.shuffle }
    , m_device(device)
{
}

// Draws on the host, because the order must not depend on the device, and copies it once, so that
// each slice gathers by indices that are already there.
void EpochOrder::draw(std::int64_t epoch)
{
    std::vector<std::int64_t> order = m_sampler.epochOrder(epoch);
    const auto count = static_cast<std::int64_t>(order.size());
    m_indices = at::from_blob(order.data(), { count }, at::kLong)
                    .to(m_device, at::kLong, /*non_blocking=*/false, /*copy=*/true);
    ownMemory(m_indices, MemoryCategory::Workspace, "order of samples");
    m_augmentation = augmentationOf(m_settings, m_seed, epoch);
    m_epoch = epoch;
}

} // namespace accrue
