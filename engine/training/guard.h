// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/training/window_metrics.h"

#include <vector>

#include <ATen/core/Tensor.h>

namespace torch::nn {
class Module;
}

namespace accrue {

// Keeps a loss or gradient that is not finite away from the model, without the host having to look:
// the verdict is a scalar on the device that the fused optimizers obey, and the model's buffers
// (BatchNorm's statistics) go back to what they were when the window began. With NotFinite::End the
// verdict latches: once a window is refused, so are all later ones, until the host has read it.
// With NotFinite::Skip each window is judged alone. One thread.
class Guard {
public:
    Guard(const torch::nn::Module& module, at::Device device, NotFinite mode);

    void beginWindow(); // remembers the buffers
    // Judges the window by metrics.lossSum and metrics.gradientNorm, writes metrics.refused,
    // restores the buffers where it is refused, and returns the verdict as the optimizers take it.
    const at::Tensor& judge(WindowMetrics& metrics);
    // The buffers as the window found them, in the module's order.
    const std::vector<at::Tensor>& remembered() const { return m_remembered; }
    // A window that was begun is not applied: its buffers go back. Nothing to do between windows.
    void giveUpWindow();

private:
    const NotFinite m_mode;
    std::vector<at::Tensor> m_buffers;
    std::vector<at::Tensor> m_remembered;
    at::Tensor m_refused; // float32 scalar, 0 or 1, as `found_inf`
    at::Tensor m_latched; // bool scalar
    bool m_open = false; // a window was begun and not judged
};

} // namespace accrue
