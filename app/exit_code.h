// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>

namespace accrue {

// What the program returns to its caller; part of docs/command_line.md, so a value never changes.
enum ExitCode : int {
    kExitDone = 0,
    kExitFailed = 1, // the run diverged or failed; the disk is full; a check did not pass
    kExitWrongInput = 2, // usage, recipe, data, no such run, a log that cannot be read
    kExitInterrupted = 130, // stopped by Ctrl-C
    kExitTerminated = 143, // stopped by SIGTERM, or because the terminal was closed
};

// Ends the command with this exit code and without a further message: the reason has been printed,
// or a signal ended the work.
class CommandEnd : public std::exception {
public:
    explicit CommandEnd(int exitCode)
        : code(exitCode)
    {
    }
    const int code;
};

} // namespace accrue
