// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/door/engine.h"

#include <optional>
#include <string>

namespace accrue {

// What doctor knows about each link between an NVIDIA card and the engine.
struct CudaState {
    bool card = false; // there is one in the machine
    std::string driver; // "580.65.06"; empty: none is loaded
    std::optional<EngineVersions> engine; // empty: it cannot be loaded
    bool device = false; // the engine offers a CUDA device
};

// Which link is missing, and how to get it; empty if none is.
Message cudaAdvice(const CudaState& state);

} // namespace accrue
