// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"

#include <filesystem>
#include <string>
#include <vector>

namespace accrue {

struct LoadedEngine {
    Engine* engine = nullptr; // lives until the process ends
    std::string
        problem; // one sentence, what is missing and how to get it; empty when `engine` is set
    std::filesystem::path library; // where it was found, or was looked for
};

// The first thing in main, before any thread. A standard stream that is closed is opened so that
// using it fails, and no file that is opened later takes its place and is written into. Tells
// LibTorch's threads to sleep soon when they wait for each other instead of burning a core each. On
// two busy cores a step takes a tenth of the time so. What the user has set in the environment
// stays. A file that grows beyond the process's limit, and a pipe or connection whose other end is
// closed, is from then on an error of the write instead of a signal that kills.
void prepareProcessForEngine();

// Opens libaccrue_engine.so: $ACCRUE_ENGINE, beside the program, ../lib/accrue, ../lib; where the
// dynamic linker does not find LibTorch, with that of torchFolders. Blocks 0.4 s on the first call,
// some seconds on a machine with a GPU; later calls give the same answer at once. Any thread.
LoadedEngine loadEngine();

// Where loadEngine looks, in order, for a program that lies at `program`: $ACCRUE_ENGINE alone
// where it is set.
std::vector<std::filesystem::path> engineCandidates(const std::filesystem::path& program);
// Opens the first of `candidates` that is there. Blocks; a library once opened stays open, because
// LibTorch's threads outlive any use of it.
LoadedEngine openEngine(const std::vector<std::filesystem::path>& candidates);

// Tests put a fake behind the same door: from then on loadEngine returns it. `engine` is borrowed.
// nullptr: the fake is forgotten, the next loadEngine looks for a library again.
void setEngineForTesting(Engine* engine);

// The one symbol of libaccrue_engine.so. The number is raised with every change of Engine, so that
// a library of another build is refused in a sentence instead of crashing.
inline constexpr int kEngineAbi = 8;
inline constexpr const char* kEngineSymbol =
    "accrueEngine"; // extern "C" Engine* accrueEngine(int abi); null: other abi

} // namespace accrue
