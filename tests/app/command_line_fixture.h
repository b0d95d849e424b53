// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

class QTemporaryDir;

namespace accrue {

struct CommandResult {
    int code = -1;
    std::string out;
    std::string err;
};

// Calls the command line in this process; `input` is what it reads from its standard input.
CommandResult runAccrue(std::vector<std::string> arguments, const std::string& input = {});

// Sends the user's data and settings to `folder`, and forgets data directories of the machine.
void useHome(const std::filesystem::path& folder);

std::filesystem::path pathOf(const QTemporaryDir& folder, const std::string& file);
void writeFile(const std::filesystem::path& file, const std::string& text);
std::string readFile(const std::filesystem::path& file);
std::vector<std::string> linesOf(const std::string& text);

} // namespace accrue
