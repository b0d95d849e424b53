// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace accrue {

// A window of each model on blank pictures on the CPU, so that libraries are loaded and code is in
// memory before a run needs them. Blocks, 0.5 s. Failures are left to the run that follows, which
// can tell them.
void runFirstOperators();

} // namespace accrue
