// SPDX-License-Identifier: Apache-2.0
#include "engine/cuda/nccl_backend.h"

#ifdef USE_C10D_NCCL

#include <cstdlib>

#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

namespace accrue {
namespace {

// c10d's own threads would end the process, with what was not saved, if a call fails or takes
// long. DeviceExchange notices both. torchrun sets the first one for every process.
void leaveErrorsToUs()
{
    ::setenv("TORCH_NCCL_ASYNC_ERROR_HANDLING", "0", /*overwrite=*/1);
    ::setenv("TORCH_NCCL_ENABLE_MONITORING", "0", /*overwrite=*/1);
}

} // namespace

c10::intrusive_ptr<c10d::Backend> ncclBackend(const c10::intrusive_ptr<c10d::Store>& store,
    int rank, int ranks, c10::Device device, std::chrono::milliseconds timeout)
{
    leaveErrorsToUs();
    const c10::cuda::CUDAGuard guard(device);
    auto options = c10d::ProcessGroupNCCL::Options::create();
    options->timeout = timeout;
    return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, rank, ranks, std::move(options));
}

} // namespace accrue

#else

namespace accrue {

c10::intrusive_ptr<c10d::Backend> ncclBackend(const c10::intrusive_ptr<c10d::Store>& /*store*/,
    int /*rank*/, int /*ranks*/, c10::Device /*device*/, std::chrono::milliseconds /*timeout*/)
{
    return {};
}

} // namespace accrue

#endif
