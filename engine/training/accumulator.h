// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/resident_data_set.h"
#include "engine/model/network.h"
#include "engine/training/phase_watch.h"
#include "engine/training/window_metrics.h"

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace accrue {

// Adds up the gradient of one window, slice by slice. With n samples in the window, a slice's loss
// is
//
//   loss = Σ over its samples of crossEntropy(logits, label) / n
//
// so the gradient is that of the window's mean loss, however the window is cut. All gradients are
// views of one flat tensor: allocated once, zeroed, measured and added to in place. Buffers of a
// micro-batch are allocated once. `network` and `data` are borrowed and must outlive it. One
// thread.
class Accumulator {
public:
    // `network` is on the data's device and in its final type; `largestSlice` is in samples.
    Accumulator(Network& network, const ResidentDataSet& data, std::int64_t largestSlice);

    void beginWindow(std::int64_t samples); // gradients to zero
    // One slice: gather, forward, backward; its loss sum and correct count go to `metrics`.
    // `indices`: int64 on the device, at most `largestSlice`.
    void add(const at::Tensor& indices, WindowMetrics& metrics, PhaseWatch& watch);

    const at::Tensor& flatGradient() const { return m_flatGradient; } // [parameters]

private:
    Network& m_network;
    const ResidentDataSet& m_data;
    at::Tensor m_flatGradient;
    at::Tensor m_images; // [largestSlice, c, h, w]
    at::Tensor m_labels; // [largestSlice]
    at::Tensor m_weight; // scalar, 1 / samples of the window: where backward begins
    std::int64_t m_windowSamples = 0;
};

} // namespace accrue
