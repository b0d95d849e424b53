// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace accrue {

struct DriverAnswer {
    int devices = 0; // that it offers to this process
    std::string problem {}; // why it offers none, in its words; empty: it has none, or is not there
};

// Asks the NVIDIA driver itself, which needs no CUDA runtime, and makes no context. Blocks: on a
// machine with cards up to a second at the first call of a process.
DriverAnswer askDriver();

} // namespace accrue
