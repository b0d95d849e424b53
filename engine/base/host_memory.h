// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace accrue {

// The part of the machine's memory that this process may use, bytes; -1: unknown.
struct HostMemory {
    // The machine's, or the smallest limit of the control groups (cgroups, version 1 or 2) of the
    // process: the kernel kills a process that exceeds either, without a message.
    std::int64_t totalBytes = -1;
    // Available now without swapping. In a control group everything that is not in use, including
    // cached files that can be read again.
    std::int64_t freeBytes = -1;
};

// The rest of the first line of `file` that begins with `key` (without a key, of the first line),
// after blanks and a colon, as in the kernel's files: "16330 kB" of "MemTotal:   16330 kB". Empty:
// there is no such file or line.
std::string valueIn(const std::filesystem::path& file, std::string_view key = {});

// `root` contains the /proc and /sys that are read. Any thread; microseconds.
HostMemory hostMemory(const std::filesystem::path& root = "/");

} // namespace accrue
