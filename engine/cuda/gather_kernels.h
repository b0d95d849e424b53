// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/pixel_table.h"

struct CUstream_st; // *cudaStream_t

namespace accrue {

// The CUDA counterpart of the gather on the CPU (gather.cpp): all pointers are memory of the
// current device, `job.source.indices` are in range and `job.source.count` is at least 1. Enqueued
// on `stream`; must not block. Throws std::runtime_error if the launch fails: "CUDA error: …", in
// LibTorch's words, with file and line. T is float or double.
template <typename T> void launchGather(const GatherJob<T>& job, CUstream_st* stream);

} // namespace accrue
