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
// At most kLargestTextFile; a directory, a file that is larger or cannot be read is a problem, and
// so is a pipe that nobody has opened for writing within a second. Blocks as long as a writer lets
// it.
TextFile readTextFile(const std::filesystem::path& file);

// Written to a temporary file in the same folder, synchronised and renamed, so that the file is the
// old one or the new one after a crash. Throws std::system_error naming the file.
void writeTextFile(const std::filesystem::path& file, std::string_view text);

} // namespace accrue
