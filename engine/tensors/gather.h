// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

#include "engine/data/augmentation.h"
#include "engine/tensors/resident_data_set.h"

namespace accrue {

// The output of gatherNormalized: uninitialised, for so many samples of the split, on its device.
struct MicroBatch {
    MicroBatch() = default;
    MicroBatch(const ResidentSplit& split, std::int64_t samples, at::ScalarType type);

    at::Tensor images; // [samples, channels, height, width]
    at::Tensor labels; // [samples]
};

// Gathers one micro-batch from a resident split, in one pass:
//
//   images[i, c] = (split.images[indices[i], c] / 255 − mean[c]) / stddev[c]
//   labels[i]    = split.labels[indices[i]]
//
// computed in double and rounded once to the type of `images`, by a table of the 256 pixel values,
// so CPU and CUDA produce the same bits. With an `augmentation` the pictures are changed at the
// same time (augmentation.h): all samples of a call belong to its epoch. `images` (float or double
// [b, channels, height, width], contiguous) and `labels` (int64 [b], contiguous) are written in
// place and never reallocated; a slice of a larger buffer (`narrow` along dimension 0) is allowed.
// All tensors are on one device. On the CPU an index outside the split throws std::out_of_range
// before anything is written; on CUDA the work is enqueued on the current stream, the call must not
// block, and the indices must be in range. Throws std::invalid_argument if shapes, types or devices
// do not fit, or if there are more than kMaxChannels channels (pixel_table.h).
void gatherNormalized(const ResidentSplit& split, const std::vector<double>& mean,
    const std::vector<double>& stddev, const at::Tensor& indices, at::Tensor& images,
    at::Tensor& labels, const Augmentation& augmentation = {});

} // namespace accrue
