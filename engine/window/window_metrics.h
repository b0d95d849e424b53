// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>

namespace accrue {

// The figures of one window, on the host.
struct WindowValues {
    double lossSum = 0; // over the window's samples
    std::int64_t correct = 0; // samples whose largest logit is their label
    double gradientNorm = 0; // L2 over all parameters
    bool refused = false; // the update was suppressed
    // The metrics that are measured on request (measures.h); NaN if the update was refused, because
    // there was none to measure.
    std::vector<MetricValue> measured {};
};

// The figures of a window: summed on the device, copied to the host once per window without
// waiting, and read there. Two windows may be in flight.
//
// The copies go to pinned memory, because only from the device to pinned memory can a copy run
// while the host continues; to pageable memory the driver would make the host wait. One thread.
class WindowMetrics {
public:
    // `measured`: the metrics that are measured on request.
    explicit WindowMetrics(at::Device device, std::vector<std::string> measured = {});
    ~WindowMetrics();
    WindowMetrics(const WindowMetrics&) = delete;
    WindowMetrics& operator=(const WindowMetrics&) = delete;

    void beginWindow() { m_all.zero_(); }
    // Scalars in double on the device, written by others in place.
    at::Tensor& lossSum() { return m_lossSum; }
    at::Tensor& correct() { return m_correct; }
    at::Tensor& gradientNorm() { return m_gradientNorm; }
    at::Tensor& refused() { return m_refused; } // 0 or 1
    // Likewise, by its place among the metrics that are measured.
    const at::Tensor& measured(std::size_t index) const { return m_measured.at(index); }
    // Loss sum and right count as one tensor of two: what ranks add up.
    const at::Tensor& sums() const { return m_sums; }
    void endWindow(); // starts the copy

    // All figures of the window that has not ended, on the device: what a checkpoint stores.
    // Without what is measured, because an open window has no update yet.
    const at::Tensor& figures() const { return m_figures; }
    // Of the window that has not ended. Blocks until the device has computed them.
    WindowValues soFar() const { return valuesOf(m_all.cpu()); }
    // The oldest window that ended and was not read. Blocks until its copy is done.
    WindowValues read();

private:
    bool copiesAreDone() const;
    WindowValues valuesOf(const at::Tensor& host) const;

    const at::Device m_device;
    const std::vector<std::string> m_names; // of what is measured
    at::Tensor m_all; // [4 + measured], of which all others are views
    at::Tensor m_figures; // [4]
    std::vector<at::Tensor> m_measured;
    at::Tensor m_lossSum, m_correct, m_gradientNorm, m_refused;
    at::Tensor m_sums; // [2], likewise
    std::array<at::Tensor, 2> m_host;
    std::vector<c10::Event> m_copied; // CUDA: one per host copy
    std::size_t m_writing = 0;
    std::size_t m_reading = 0;
};

} // namespace accrue
