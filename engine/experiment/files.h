// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

// Small text files, read and written whole.
namespace accrue {

inline constexpr std::size_t kLargestTextFile = 1024 * 1024;

struct TextFile {
    std::string text;
    std::string problem; // one sentence that names the file; empty when it was read
    bool missing = false; // the problem is that it is not there
};
// Whether the text may come from a pipe or a terminal, as from /dev/stdin.
enum class Streams { Refuse, Read };
// At most kLargestTextFile of a regular file. A directory, a device, and a file that is larger or
// cannot be read is a problem. Of a pipe that may be read, so is one that nobody has opened for
// writing within a second; blocks as long as its writer lets it.
TextFile readTextFile(const std::filesystem::path& file, Streams streams = Streams::Refuse);

// Written to a temporary file in the same folder, synchronised and renamed, so that the file is the
// old one or the new one after a crash. Throws std::system_error naming the file.
void writeTextFile(const std::filesystem::path& file, std::string_view text);

} // namespace accrue
