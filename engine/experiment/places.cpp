// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/places.h"

#include "engine/experiment/files.h"
#include "engine/experiment/toml_reader.h"

#include <array>
#include <cstdlib>
#include <system_error>
#include <variant>

#include <pwd.h>
#include <unistd.h>

namespace accrue {

namespace fs = std::filesystem;

namespace {

fs::path fromEnvironment(const char* name)
{
    const char* value = std::getenv(name);
    return value ? fs::path(value) : fs::path();
}

// $HOME or, for a service without one, the home of the user's account.
fs::path homeDirectory()
{
    const fs::path home = fromEnvironment("HOME");
    if (home.is_absolute())
        return home;
    std::array<char, 16384> buffer;
    passwd account {};
    passwd* found = nullptr;
    if (::getpwuid_r(::getuid(), &account, buffer.data(), buffer.size(), &found) == 0 && found)
        return found->pw_dir;
    return fs::temp_directory_path();
}

// The XDG rules ignore a relative path.
fs::path xdgDirectory(const char* variable, const char* belowHome)
{
    const fs::path given = fromEnvironment(variable);
    return (given.is_absolute() ? given : homeDirectory() / belowHome) / "accrue";
}

fs::path settingsFile()
{
    return userConfigDirectory() / "settings.toml";
}

void tell(std::string* problem, const std::string& sentence)
{
    if (problem)
        *problem = sentence;
}

} // namespace

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

UserSettings readUserSettings(std::string* problem)
{
    tell(problem, {});
    const TextFile file = readTextFile(settingsFile());
    if (!file.problem.empty()) {
        tell(problem, file.missing ? std::string() : file.problem);
        return {};
    }
    const TomlText toml = readToml(file.text);
    if (!toml.problem.empty()) {
        tell(problem, settingsFile().string() + " " + toml.problem + ".");
        return {};
    }
    UserSettings settings;
    for (const TomlEntry& entry : toml.entries) {
        std::string text;
        const bool path = entry.key == "data_directory" || entry.key == "run_log";
        // One that is relative would be another place in every folder.
        const bool usable =
            read(entry.value, text) && (text.empty() || fs::path(text).is_absolute());
        if (path && !usable)
            tell(problem,
                settingsFile().string() + ", line " + std::to_string(entry.line) + ": " + entry.key
                    + " is " + entry.value.shown + "; allowed: an absolute path as text.");
        else if (path)
            (entry.key == "run_log" ? settings.runLog : settings.dataDirectory) = text;
    }
    return settings;
}

void writeUserSettings(const UserSettings& settings)
{
    std::string toml;
    if (!settings.dataDirectory.empty())
        toml +=
            "data_directory = " + tomlQuoted(fs::absolute(settings.dataDirectory).string()) + "\n";
    if (!settings.runLog.empty())
        toml += "run_log = " + tomlQuoted(fs::absolute(settings.runLog).string()) + "\n";
    std::error_code error;
    fs::create_directories(userConfigDirectory(), error);
    if (error)
        throw std::system_error(error, userConfigDirectory().string() + " cannot be made");
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
    add(flag.value_or(fs::path()));
    add(fromEnvironment("ACCRUE_DATA_DIR"));
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
