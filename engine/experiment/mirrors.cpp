// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/mirrors.h"

#include "engine/experiment/files.h"
#include "engine/experiment/places.h"
#include "engine/experiment/shown_text.h"
#include "engine/experiment/toml_reader.h"

namespace accrue {

std::filesystem::path userMirrorsFile()
{
    return userConfigDirectory() / "mirrors.toml";
}

std::vector<MirrorList> readUserMirrors(std::string& problem)
{
    problem.clear();
    const TextFile file = readTextFile(userMirrorsFile());
    if (!file.problem.empty()) {
        problem = file.missing ? std::string() : file.problem;
        return {};
    }
    const TomlText toml = readToml(file.text);
    if (!toml.problem.empty())
        problem = userMirrorsFile().string() + " " + toml.problem + ".";
    std::vector<MirrorList> lists;
    lists.reserve(toml.entries.size());
    for (const TomlEntry& entry : toml.entries) {
        MirrorList list { entry.key, {}, entry.line };
        if (!read(entry.value, list.urls) || list.urls.empty()) {
            problem = userMirrorsFile().string() + ", line " + std::to_string(entry.line) + ": "
                + shortened(entry.key) + " is " + entry.value.shown
                + "; allowed: a list of addresses, [\"https://…\"].";
            return {};
        }
        lists.push_back(std::move(list));
    }
    return lists;
}

} // namespace accrue
