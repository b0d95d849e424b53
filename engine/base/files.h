// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/base/shown_text.h"

#include <filesystem>
#include <string>
#include <string_view>

// Small text files, read and written as a whole.
namespace accrue {

struct TextFile {
    std::string text;
    Message problem {}; // names the file; empty when it was read
    bool missing = false; // the problem is that it does not exist
};
// Whether the text may come from a pipe or a terminal, such as /dev/stdin.
enum class Streams { Refuse, Read };
// Reads at most kLargestTextFile of a regular file. A directory, a device, and a file that is
// larger or cannot be read is a problem. If pipes are allowed, so is a pipe that nobody has opened
// for writing within a second; otherwise it blocks as long as its writer does.
TextFile readTextFile(const std::filesystem::path& file, Streams streams = Streams::Refuse);

// As an AtomicFile: after a crash the file is the old one or the new one. Throws Error naming the
// file. Any thread.
void writeTextFile(const std::filesystem::path& file, std::string_view text);

} // namespace accrue
