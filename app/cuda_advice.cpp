// SPDX-License-Identifier: Apache-2.0
#include "app/cuda_advice.h"

#include <cstdlib>

namespace accrue {

namespace {
constexpr int kOldestDriver = 580; // of CUDA 13

std::string noDevice(const CudaState& state)
{
    const std::string start = "The NVIDIA driver " + state.driver + " offers no device to CUDA "
        + state.engine->cudaBuilt + ", for which the engine was built: ";
    if (std::atoi(state.driver.c_str()) < kOldestDriver)
        return start + "install the package nvidia-driver, " + std::to_string(kOldestDriver)
            + " or newer, and restart.";
    return start
        + "see whether CUDA_VISIBLE_DEVICES hides it, and whether this user may open"
          " /dev/nvidia0.";
}
} // namespace

std::string cudaAdvice(const CudaState& state)
{
    if (state.engine && !state.engine->cudaProblem.empty())
        return state.engine->cudaProblem + ". Training uses the other devices.";
    if (!state.card || state.device)
        return {};
    if (state.driver.empty())
        return "This machine has an NVIDIA card, but its driver is not loaded: install the package"
               " nvidia-driver ("
            + std::to_string(kOldestDriver) + " or newer for CUDA 13) and restart.";
    if (!state.engine)
        return {};
    if (state.engine->cudaBuilt.empty())
        return "This machine has an NVIDIA card, but the engine was built without CUDA: build it"
               " with scripts/setup.sh, which brings CUDA along.";
    return noDevice(state);
}

} // namespace accrue
