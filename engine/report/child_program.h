// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace accrue {

// A program that this process starts as a child: of a process group of its own, so that Ctrl-C
// reaches this process alone, which then stops its children; with signals as by default.
struct ChildProgram {
    std::vector<std::string> words; // the program's path, and its arguments
    std::vector<std::string> variables; // "NAME=value", in place of this process's
    bool printsResults = false; // to this process's output; otherwise what it prints is lost
};

// Returns the process. Throws InputError naming the program.
pid_t startChild(ChildProgram child);

// Ends this process with the one that has started it, whatever ends that one, if the environment
// variable `starter` is set, to the other's process id. Does nothing otherwise.
void endWithStarter(const char* starter);
// "NAME=12", which endWithStarter reads in the child.
std::string starterVariable(const char* starter);

} // namespace accrue
