// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/augmentation.h"
#include "engine/experiment/window_sequence.h"
#include "engine/model/network.h"
#include "engine/tensors/gather.h"
#include "engine/window/phase_watch.h"
#include "engine/window/window_metrics.h"

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace accrue {

// Adds up the gradient of one window, slice by slice. A slice's loss is
//
//   loss = Σ over its samples of weight · crossEntropy(logits, label)
//
// with the weights that the plan gives to samples (window_sequence.h), so the gradient is that of
// the whole window, however it is split. All gradients are views of one flat tensor: allocated
// once, zeroed, measured and added to in place. Buffers of a micro-batch are allocated once.
// `network` and `data` are borrowed and must outlive it. One thread.
class Accumulator {
public:
    // `network` is on the data's device and in its final type; `largestSlice` is in samples.
    Accumulator(Network& network, const ResidentDataSet& data, std::int64_t largestSlice,
        std::int64_t gradientValues = 0);

    // Buffers for slices of `largest` samples from the next window on; the present ones are
    // released.
    void holdSlices(std::int64_t largest);
    // For the pictures from now on; each slice belongs to one epoch.
    void setAugmentation(const Augmentation& augmentation) { m_augmentation = augmentation; }
    // Zeroes the gradients. `scale` multiplies the losses of backward passes, never the logged
    // ones.
    void beginWindow(double scale = 1);
    // All slices are accumulated: divides the gradient by the scale.
    void endWindow();
    // One slice of `order` (int64 on the device): gather, forward, backward; its sum of unweighted
    // losses and its correct count go to `metrics`.
    void add(
        const at::Tensor& order, const Slice& slice, WindowMetrics& metrics, PhaseWatch& watch);

    const at::Tensor& flatGradient() const { return m_flatGradient; } // [parameters]

private:
    at::Tensor weightsOf(const Slice& slice, const at::TensorOptions& options);

    Network& m_network;
    const ResidentDataSet& m_data;
    Augmentation m_augmentation;
    at::Tensor m_flatGradient;
    std::int64_t m_largest; // slice, in samples
    MicroBatch m_buffers; // of the largest slice; empty until a window needs them
    // Scalar, the weight of each sample: the gradient that backward starts with.
    at::Tensor m_weight;
    double m_weightValue = 1;
    double m_scale = 1;
};

} // namespace accrue
