// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace accrue {

// What this process may use of the machine's memory, bytes; -1: not known.
struct HostMemory {
    // The machine's, or the least limit of the control groups (cgroups, version 1 or 2) that the
    // process is in: what exceeds either is ended by the kernel without a word.
    std::int64_t totalBytes = -1;
    // That can be had now without swapping. Of a control group what is not in use, files that it
    // has read and that can be read again included.
    std::int64_t freeBytes = -1;
};

// The rest of the first line of `file` that begins with `key` (without one, of the first line),
// behind blanks and a colon, as the kernel's files have it: "16330 kB" of "MemTotal:   16330 kB".
// Empty: there is no such file or line.
std::string valueIn(const std::filesystem::path& file, std::string_view key = {});

// `root` is where /proc and /sys are looked for. Any thread; microseconds.
HostMemory hostMemory(const std::filesystem::path& root = "/");

} // namespace accrue
