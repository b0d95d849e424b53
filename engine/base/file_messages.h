// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/base/toml_reader.h"

#include <filesystem>
#include <string>

namespace accrue {

// What keeps a file or folder from being used. `error` is an errno, `reason` the system's words.
Message fileMissing(const std::filesystem::path& file);
Message fileUnreadable(const std::filesystem::path& file, int error);
Message fileUnwritable(const std::filesystem::path& file, int error);
Message folderNotCreated(const std::filesystem::path& folder, const std::string& reason);
Message folderUnreadable(const std::filesystem::path& folder, const std::string& reason);

// What keeps a text from being read as TOML. Continues the text's name, without a full stop: "is
// not TOML: line 3, column 7: …". Not in the reader's own unit, because messages are translated
// with that reader.
Message messageOf(const TomlProblem& problem);

// What a message shows of a value: as it was written, or what it is: "empty", "a section".
MessageArgument::Value shownOf(const WrittenValue& written);

// What the system calls an errno, "No space left on device".
std::string systemReason(int error);

} // namespace accrue
