// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace accrue {

// The places of files. These functions create nothing.

// The value of an environment variable; empty: it is not set.
std::filesystem::path pathFromEnvironment(const char* name);

// The file of the program that this process runs. Not argv[0], which is whatever the parent process
// passed.
std::filesystem::path thisProgram();

// $XDG_DATA_HOME/accrue or ~/.local/share/accrue
std::filesystem::path userDataDirectory();
// $XDG_CONFIG_HOME/accrue or ~/.config/accrue
std::filesystem::path userConfigDirectory();
// $XDG_CACHE_HOME/accrue or ~/.cache/accrue
std::filesystem::path userCacheDirectory();
// userDataDirectory()/recipes
std::filesystem::path userRecipeDirectory();

// Settings that the command line and the workbench share: settings.toml in the user's config
// directory.
struct UserSettings {
    std::filesystem::path dataDirectory; // data_directory
    std::filesystem::path runLog; // run_log
};
// A missing file is not an error; one that cannot be read gives defaults, and `problem` states why.
// The same applies to a path that is not absolute.
UserSettings readUserSettings(Message* problem = nullptr);
// Relative paths are written as absolute ones. Throws Error naming the file.
void writeUserSettings(const UserSettings& settings);

// The run log used when none is named: the setting, otherwise userDataDirectory()/runs.db.
std::filesystem::path defaultRunLog();

// Folders searched for data sets, first hit wins: the flag, $ACCRUE_DATA_DIR, the setting,
// userDataDirectory()/data.
std::vector<std::filesystem::path> dataDirectories(
    const std::optional<std::filesystem::path>& flag = {});

// Where data sets are downloaded to: the flag, the setting, userDataDirectory()/data. Not
// $ACCRUE_DATA_DIR, which often names a folder that many people share.
std::filesystem::path downloadDirectory(const std::optional<std::filesystem::path>& flag = {});

} // namespace accrue
