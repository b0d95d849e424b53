// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/augmentation.h"
#include "engine/data/sampler.h"
#include "engine/experiment/experiment.h"

#include <cstdint>

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

namespace accrue {

// The order in which one epoch visits the training samples, on the device, and the augmentation of
// their pictures. Both depend on seed and epoch alone. One thread.
class EpochOrder {
public:
    EpochOrder(const Experiment& experiment, std::int64_t samples, at::Device device);

    // Blocks: draws the order and copies it. If that throws, the previous order stays.
    void draw(std::int64_t epoch);
    // Discards the order: a window that is undone may have begun in the previous epoch.
    void forget() { m_epoch = 0; }

    std::int64_t epoch() const { return m_epoch; } // 1-based; 0: none was drawn
    const at::Tensor& indices() const { return m_indices; } // int64 on the device
    const Augmentation& augmentation() const { return m_augmentation; }

private:
    const AugmentSettings m_settings;
    const std::uint64_t m_seed;
    const Sampler m_sampler;
    const at::Device m_device;
    at::Tensor m_indices;
    Augmentation m_augmentation;
    std::int64_t m_epoch = 0;
};

} // namespace accrue
