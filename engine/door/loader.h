// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/door/engine.h"

#include <filesystem>
#include <string>
#include <vector>

namespace accrue {

struct LoadedEngine {
    Engine* engine = nullptr; // lives until the process ends
    Message problem {}; // what is missing and how to get it; empty when `engine` is set
    std::filesystem::path library; // where it was found, or was expected
};

// Must be called first in main, before any thread exists. Opens each closed standard stream so that
// using it fails; otherwise a file that is opened later would get its number, and printed text
// would be written into that file. Makes LibTorch's threads sleep soon when they wait for each
// other instead of keeping a core busy each: on two busy cores a step then takes a tenth of the
// time. Does not override what the user has set in the environment. After that, a file that grows
// beyond the process's limit, and a pipe or connection whose other end is closed, is an error of
// the write instead of a signal that ends the process.
void prepareProcessForEngine();

// Opens libaccrue_engine.so: $ACCRUE_ENGINE, beside the program, ../lib/accrue, ../lib. If the
// dynamic linker does not find LibTorch, uses that of torchFolders. Blocks 0.4 s on the first call,
// some seconds on a machine with a GPU; later calls return the same result at once. Any thread.
LoadedEngine loadEngine();

// Where loadEngine looks, in order, for a program at the path `program`: only at $ACCRUE_ENGINE if
// it is set.
std::vector<std::filesystem::path> engineCandidates(const std::filesystem::path& program);
// Opens the first of `candidates` that exists. Blocks. An opened library stays open, because
// LibTorch's threads outlive any use of it.
LoadedEngine openEngine(const std::vector<std::filesystem::path>& candidates);

// For tests: loadEngine then returns this fake, which is borrowed. nullptr: the next loadEngine
// looks for a library again.
void setEngineForTesting(Engine* engine);

// The one symbol of libaccrue_engine.so. The number is raised with every change of Engine, so that
// a library of another build is refused with a message instead of crashing.
inline constexpr int kEngineAbi = 11;
inline constexpr const char* kEngineSymbol =
    "accrueEngine"; // extern "C" Engine* accrueEngine(int abi); null: other abi

} // namespace accrue
