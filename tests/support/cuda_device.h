// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/accelerator/accelerators.h"

namespace accrue {

// Whether a CUDA device is here. The first call opens the engine's part for CUDA, which must come
// before anything else asks LibTorch for it: tests with rows for a CUDA device call it first.
inline bool cudaIsHere()
{
    return accelerator() != nullptr && accelerator()->type() == c10::kCUDA
        && !accelerator()->devices().empty();
}

} // namespace accrue
