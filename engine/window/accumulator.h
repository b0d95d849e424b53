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

// Gives every parameter of a network its gradient as a view of one zeroed tensor, in the
// parameter's own order in memory, which the fused optimizers require. `values`: of that tensor, at
// least those of the parameters.
at::Tensor allocateGradients(Network& network, std::int64_t values);

// Adds up the gradient of one window, slice by slice. A slice's loss is
//
//   loss = Σ over its samples of weight · crossEntropy(logits, label)
//
// with the weights that the plan gives to samples (window_sequence.h), so the gradient is that of
// the whole window, however it is split. Buffers of a micro-batch are allocated once.
// `network` and `data` are borrowed and must outlive it. One thread.
class Accumulator {
public:
    // `network` is on the data's device and in its final type; `largestSlice` is in samples.
    Accumulator(Network& network, const ResidentDataSet& data, std::int64_t largestSlice);

    // Buffers for slices of `largest` samples from the next window on; the present ones are
    // released.
    void holdSlices(std::int64_t largest);
    // For the pictures from now on; each slice belongs to one epoch.
    void setAugmentation(const Augmentation& augmentation) { m_augmentation = augmentation; }
    // `scale` multiplies the losses of backward passes, and with them the gradient, never the
    // logged ones.
    void beginWindow(double scale = 1);
    double scale() const { return m_scale; } // of the window
    at::Tensor noPictures() const; // as a slice without samples has them
    // One slice of `order` (int64 on the device): gather, forward, backward; its sum of unweighted
    // losses and its correct count go to `metrics`.
    void add(
        const at::Tensor& order, const Slice& slice, WindowMetrics& metrics, PhaseWatch& watch);

private:
    at::Tensor weightsOf(const Slice& slice, const at::TensorOptions& options);

    Network& m_network;
    const ResidentDataSet& m_data;
    Augmentation m_augmentation;
    std::int64_t m_largest; // slice, in samples
    MicroBatch m_buffers; // of the largest slice; empty until a window needs them
    // Scalar, the weight of each sample: the gradient that backward starts with.
    at::Tensor m_weight;
    double m_weightValue = 1;
    double m_scale = 1;
};

} // namespace accrue
