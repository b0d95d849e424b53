// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

namespace accrue {

// The whole of `accrue`: reads the arguments, runs the command, returns the exit code of
// docs/command_line.md. Results go to `out`, messages to `err`, in the language of the program
// (language.h). Throws nothing. Blocks until the command is done; `train` catches SIGINT and
// SIGTERM meanwhile, so one call at a time in a process.
int runCommandLine(
    int argc, const char* const* argv, std::istream& in, std::ostream& out, std::ostream& err);

} // namespace accrue
