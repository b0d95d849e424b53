// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/base/toml_reader.h"

#include <filesystem>
#include <string>

namespace accrue {

// Why a file or folder cannot be used. `error` is an errno, `reason` the system's text.
Message fileMissing(const std::filesystem::path& file);
Message fileUnreadable(const std::filesystem::path& file, int error);
Message fileUnwritable(const std::filesystem::path& file, int error);
Message folderNotCreated(const std::filesystem::path& folder, const std::string& reason);
Message folderUnreadable(const std::filesystem::path& folder, const std::string& reason);

// Why a text cannot be read as TOML. Continues the text's name, without a full stop: "is not TOML:
// line 3, column 7: …". Not in the reader's own unit, because the translations of messages are read
// by that reader.
Message messageOf(const TomlProblem& problem);

// What a message shows of a value: as it was written, or what it is: "empty", "a section".
MessageArgument::Value shownOf(const WrittenValue& written);

// The system's text for an errno, "No space left on device".
std::string systemReason(int error);

} // namespace accrue
