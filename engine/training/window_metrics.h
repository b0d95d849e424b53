// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>

namespace accrue {

// What one window measured, on the host.
struct WindowValues {
    double lossSum = 0; // over the window's samples
    std::int64_t correct = 0; // samples whose largest logit is their label
    double gradientNorm = 0; // L2 over all parameters
    bool refused = false; // the update was suppressed
};

// The figures of a window: summed on the device, copied to the host once a window without waiting,
// and read there. Two windows may be on their way. One thread.
class WindowMetrics {
public:
    explicit WindowMetrics(at::Device device);
    ~WindowMetrics();
    WindowMetrics(const WindowMetrics&) = delete;
    WindowMetrics& operator=(const WindowMetrics&) = delete;

    void beginWindow(); // sets all to zero
    // Scalars in double on the device, written by others in place.
    at::Tensor& lossSum() { return m_lossSum; }
    at::Tensor& correct() { return m_correct; }
    at::Tensor& gradientNorm() { return m_gradientNorm; }
    at::Tensor& refused() { return m_refused; } // 0 or 1
    void endWindow(); // starts the copy

    // All figures of the window that has not ended, on the device: what a checkpoint holds.
    const at::Tensor& figures() const { return m_all; }
    // Of the window that has not ended. Blocks until the device is there.
    WindowValues soFar() const;
    // The oldest window that ended and was not read. Blocks until its copy is there.
    WindowValues read();

private:
    bool copiesAreDone() const;

    const at::Device m_device;
    at::Tensor m_all; // [4], of which the scalars are views
    at::Tensor m_lossSum, m_correct, m_gradientNorm, m_refused;
    std::array<at::Tensor, 2> m_host;
    std::vector<c10::Event> m_copied; // CUDA: one a host copy
    std::size_t m_writing = 0;
    std::size_t m_reading = 0;
};

} // namespace accrue
