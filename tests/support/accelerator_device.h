// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/accelerator/accelerators.h"

#include <optional>

namespace accrue {

// The first device that is not the processor: a CUDA device, or the fake one if the test runs on it
// (accrue_also_on_fake_accelerator). Empty: there is none. The first call opens the library behind
// it, which must precede any other use of CUDA through LibTorch: tests with rows for a device call
// it first.
inline std::optional<c10::Device> acceleratorDevice()
{
    if (accelerator() == nullptr || accelerator()->devices().empty())
        return std::nullopt;
    return c10::Device(accelerator()->type(), 0);
}

} // namespace accrue
