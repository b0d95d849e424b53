// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/window/window_metrics.h"
#include "engine/window/world.h"

#include <vector>

#include <ATen/core/Tensor.h>

namespace torch::nn {
class Module;
}

namespace accrue {

// Protects the model from a loss or gradient that is not finite, without a read-back to the host:
// the verdict is a scalar on the device that the fused optimizers obey, and the model's buffers
// (BatchNorm's statistics) are restored to what they were when the window began. With
// NotFinite::End the verdict latches: once a window is refused, all later ones are, until the host
// has read it. With NotFinite::Skip each window is judged alone. What one rank refuses, all refuse.
// One thread.
class Guard {
public:
    // `world` is borrowed.
    Guard(const torch::nn::Module& module, at::Device device, NotFinite mode,
        World& world = World::alone());

    void beginWindow(); // remembers the buffers
    // Judges the window by metrics.lossSum and metrics.gradientNorm, writes metrics.refused,
    // restores the buffers if it is refused, and returns the verdict as the optimizers expect it.
    const at::Tensor& judge(WindowMetrics& metrics);
    // The buffers of the module, in its order.
    struct Buffer {
        at::Tensor live;
        at::Tensor remembered; // as the window found it
    };
    const std::vector<Buffer>& buffers() const { return m_buffers; }
    // Restores the buffers of a window that will not be applied. Does nothing between windows.
    void abandonWindow();

private:
    const NotFinite m_mode;
    World& m_world;
    std::vector<Buffer> m_buffers;
    at::Tensor m_refused; // float32 scalar, 0 or 1, as `found_inf`
    at::Tensor m_latched; // bool scalar
    bool m_open = false; // a window was begun and not judged yet
};

} // namespace accrue
