// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace accrue {

// How many CUDA devices the driver offers to this process; 0 where none is installed or it does not
// answer. Asks the driver itself, which needs no CUDA runtime, and makes no context. Blocks: on a
// machine with cards up to a second at the first call of a process.
int driverDeviceCount();

} // namespace accrue
