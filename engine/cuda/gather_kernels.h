// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/augmentation.h"
#include "engine/data/pixel_table.h"

#include <cstdint>

struct CUstream_st; // *cudaStream_t

namespace accrue {

// The CUDA counterpart of the gather on the CPU (gather.cpp): all pointers are memory of the
// current device, `source.indices` are in range and `source.count` is at least 1. Enqueued on
// `stream`; must not block. Throws std::runtime_error if the launch fails: "CUDA error: …", in
// LibTorch's words, with file and line. T is float or double.
template <typename T>
void launchGather(const GatherSource& source, const PixelTable<T>& table,
    const Augmentation& augmentation, T* images, std::int64_t* labels, CUstream_st* stream);

} // namespace accrue
