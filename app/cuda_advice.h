// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"

#include <optional>
#include <string>

namespace accrue {

// What doctor knows of the way from an NVIDIA card to the engine.
struct CudaState {
    bool card = false; // one is in the machine
    std::string driver; // "580.65.06"; empty: none is loaded
    std::optional<EngineVersions> engine; // empty: it cannot be loaded
    bool device = false; // the engine offers a CUDA device
};

// What is missing on that way, and how to get it; empty where nothing is.
std::string cudaAdvice(const CudaState& state);

} // namespace accrue
