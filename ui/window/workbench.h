// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace accrue {

// The whole window program: reads the command line, shows the window, returns the exit code. 2:
// wrong usage.
int runWorkbench(int argc, char** argv);

} // namespace accrue
