// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include <c10/core/Device.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace accrue {

// NCCL between the ranks that meet at `store`, each of which has `device` of its own. Connects with
// the first call. Null if this library was built without NCCL's header. Throws what LibTorch
// throws.
c10::intrusive_ptr<c10d::Backend> ncclBackend(const c10::intrusive_ptr<c10d::Store>& store,
    int rank, int ranks, c10::Device device, std::chrono::milliseconds timeout);

} // namespace accrue
