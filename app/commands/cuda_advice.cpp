// SPDX-License-Identifier: Apache-2.0
#include "app/commands/cuda_advice.h"

#include <cstdlib>

namespace accrue {

namespace {
constexpr int kOldestDriver = 580; // CUDA 13 needs at least this one

Message noDevice(const CudaState& state)
{
    if (std::atoi(state.driver.c_str()) < kOldestDriver)
        return Message("cli.driver_too_old",
            { { "driver", state.driver }, { "cuda", state.engine->cudaBuilt },
                { "oldest", kOldestDriver } });
    return Message("cli.driver_offers_no_device",
        { { "driver", state.driver }, { "cuda", state.engine->cudaBuilt } });
}
} // namespace

Message cudaAdvice(const CudaState& state)
{
    // The engine knows the exact reason, so it precedes what can be concluded from outside.
    if (state.engine && !state.engine->cudaProblem.empty())
        return Message("cli.cuda_problem", { { "problem", state.engine->cudaProblem } });
    if (!state.card || state.device)
        return {};
    if (state.driver.empty())
        return Message("cli.driver_not_loaded", { { "oldest", kOldestDriver } });
    if (!state.engine)
        return {};
    if (state.engine->cudaBuilt.empty())
        return Message("cli.engine_without_cuda");
    return noDevice(state);
}

} // namespace accrue
