// SPDX-License-Identifier: Apache-2.0
#include "engine/base/places.h"

#include "engine/base/error.h"
#include "engine/base/file_messages.h"
#include "engine/base/files.h"
#include "engine/base/toml_reader.h"

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include <pwd.h>
#include <unistd.h>

namespace accrue {

namespace fs = std::filesystem;

namespace {

// $HOME or, for a service without one, the home of the user's account.
fs::path homeDirectory()
{
    const fs::path home = pathFromEnvironment("HOME");
    if (home.is_absolute())
        return home;
    std::array<char, 16384> buffer;
    passwd account {};
    passwd* found = nullptr;
    if (::getpwuid_r(::getuid(), &account, buffer.data(), buffer.size(), &found) == 0 && found)
        return found->pw_dir;
    // The last resort: a process without a home can still train.
    return fs::temp_directory_path();
}

// The XDG Base Directory Specification, so that backups and desktop tools find and skip the right
// folders. By its rules a relative path is ignored.
fs::path xdgDirectory(const char* variable, const char* belowHome)
{
    const fs::path given = pathFromEnvironment(variable);
    return (given.is_absolute() ? given : homeDirectory() / belowHome) / "accrue";
}

fs::path settingsFile()
{
    return userConfigDirectory() / "settings.toml";
}

struct PathSetting {
    std::string_view key;
    fs::path UserSettings::*path;
};
constexpr std::array<PathSetting, 2> kPathSettings { {
    { "data_directory", &UserSettings::dataDirectory },
    { "run_log", &UserSettings::runLog },
} };

Message notAbsolute(const TomlEntry& entry)
{
    return Message("base.setting_not_absolute",
        { { "file", settingsFile() }, { "line", entry.line }, { "key", entry.key },
            { "value", shownOf(entry.value) } });
}

// Stores the entry if it is one of the paths. The message names its error. Other keys are ignored.
Message readSetting(const TomlEntry& entry, UserSettings& settings)
{
    for (const PathSetting& setting : kPathSettings) {
        if (entry.key != setting.key)
            continue;
        std::string text;
        // A relative path would be another place in every folder that Accrue is started in.
        if (!read(entry.value, text) || (!text.empty() && !fs::path(text).is_absolute()))
            return notAbsolute(entry);
        settings.*setting.path = text;
    }
    return {};
}

UserSettings settingsIn(const std::string& text, Message& problem)
{
    const TomlText toml = readToml(text);
    if (!toml.problem.empty())
        problem = Message("base.settings_unreadable",
            { { "file", settingsFile() }, { "problem", messageOf(toml.problem) } });
    UserSettings settings;
    for (const TomlEntry& entry : toml.entries)
        if (const Message wrong = readSetting(entry, settings); !wrong.empty())
            // The last problem wins: one is enough to point a person to the file.
            problem = wrong;
    return settings;
}

} // namespace

fs::path pathFromEnvironment(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr ? fs::path(value) : fs::path();
}
fs::path thisProgram()
{
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error);
}

fs::path userDataDirectory()
{
    return xdgDirectory("XDG_DATA_HOME", ".local/share");
}
fs::path userConfigDirectory()
{
    return xdgDirectory("XDG_CONFIG_HOME", ".config");
}
fs::path userCacheDirectory()
{
    return xdgDirectory("XDG_CACHE_HOME", ".cache");
}
fs::path userRecipeDirectory()
{
    return userDataDirectory() / "recipes";
}

UserSettings readUserSettings(Message* problem)
{
    const TextFile file = readTextFile(settingsFile());
    // Without the file there are simply no settings.
    Message found = file.missing ? Message() : file.problem;
    const UserSettings settings = found.empty() ? settingsIn(file.text, found) : UserSettings();
    if (problem != nullptr)
        *problem = found;
    return settings;
}

void writeUserSettings(const UserSettings& settings)
{
    std::string toml;
    for (const PathSetting& setting : kPathSettings)
        if (const fs::path& path = settings.*setting.path; !path.empty())
            toml +=
                std::string(setting.key) + " = " + tomlQuoted(fs::absolute(path).string()) + "\n";
    std::error_code error;
    fs::create_directories(userConfigDirectory(), error);
    if (error)
        throw Error(folderNotCreated(userConfigDirectory(), error.message()));
    writeTextFile(settingsFile(), toml);
}

fs::path defaultRunLog()
{
    const fs::path setting = readUserSettings().runLog;
    return setting.empty() ? userDataDirectory() / "runs.db" : setting;
}

std::vector<fs::path> dataDirectories(const std::optional<fs::path>& flag)
{
    std::vector<fs::path> directories;
    const auto add = [&directories](const fs::path& directory) {
        if (!directory.empty())
            directories.push_back(directory);
    };
    // In the order of precedence: the flag of this call, the environment, the settings, the
    // default.
    add(flag.value_or(fs::path()));
    add(pathFromEnvironment("ACCRUE_DATA_DIR"));
    add(readUserSettings().dataDirectory);
    add(userDataDirectory() / "data");
    return directories;
}

fs::path downloadDirectory(const std::optional<fs::path>& flag)
{
    if (flag)
        return *flag;
    const fs::path setting = readUserSettings().dataDirectory;
    return setting.empty() ? userDataDirectory() / "data" : setting;
}

} // namespace accrue
