// SPDX-License-Identifier: Apache-2.0
#include "engine/data/data_files.h"

#include "engine/base/sentences.h"

#include <system_error>

namespace accrue {
namespace fs = std::filesystem;
namespace {

// Empty: the file does not exist in any form.
fs::path fileIn(const fs::path& folder, const std::string& name, bool mayBePacked)
{
    if (mayBeThere(folder / name))
        return folder / name;
    const fs::path packed = folder / (name + ".gz");
    return mayBePacked && mayBeThere(packed) ? packed : fs::path();
}

// Nullopt: the folder contains none of the files.
std::optional<DataFiles> lookInto(const fs::path& folder, const FileLayout& layout)
{
    if (layout.look)
        return layout.look(folder);
    DataFiles files;
    files.folder = folder;
    const auto look = [&](const std::vector<std::string>& names, std::vector<fs::path>& to) {
        to.reserve(names.size());
        for (const std::string& name : names) {
            to.push_back(fileIn(folder, name, layout.mayBePacked));
            if (to.back().empty())
                files.missing.push_back(name);
        }
    };
    look(layout.train, files.train);
    look(layout.test, files.test);
    // With at least one of them the folder is that of the set, and missing ones are reported; with
    // none it is some other folder, and the search continues.
    if (files.missing.size() == layout.train.size() + layout.test.size())
        return {};
    return files;
}

// Users unpack an archive into the data directory, into a folder with the set's name, or name the
// folder in the archive: each of these is accepted.
std::vector<fs::path> candidates(
    const FileLayout& layout, const fs::path& path, const std::vector<fs::path>& directories)
{
    std::vector<fs::path> folders;
    const auto add = [&](const fs::path& folder) {
        folders.push_back(folder);
        if (!layout.archiveFolder.empty())
            folders.push_back(folder / layout.archiveFolder);
    };
    if (!path.empty())
        add(path);
    else
        for (const fs::path& directory : directories)
            for (const std::string& folder : layout.folders)
                add(folder.empty() ? directory : directory / folder);
    return folders;
}

Message adviceOf(const FileLayout& layout, const fs::path& folder, bool found)
{
    return layout.advice ? layout.advice(folder, found) : Message();
}

Message problemOfPath(const FileLayout& layout, const fs::path& path)
{
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (fs::is_directory(status))
        return followedBy(
            Message("data.path_without_files", { { "path", path }, { "content", layout.content } }),
            adviceOf(layout, path, false));
    return Message(fs::exists(status) ? "data.path_is_file" : "data.path_missing",
        { { "path", path }, { "content", layout.content } });
}

Message problemOfMissing(const FileLayout& layout, const DataFiles& files)
{
    const Message problem(layout.mayBePacked ? "data.packed_files_missing" : "data.files_missing",
        { { "folder", files.folder }, { "names", commaList(files.missing) },
            { "count", files.missing.size() } });
    return followedBy(problem, adviceOf(layout, files.folder, true));
}

} // namespace

bool mayBeThere(const fs::path& file)
{
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    return error == std::errc::permission_denied || fs::exists(status);
}

DataFiles findFiles(
    const FileLayout& layout, const fs::path& path, const std::vector<fs::path>& directories)
{
    for (const fs::path& folder : candidates(layout, path, directories))
        if (auto files = lookInto(folder, layout))
            return *files;
    return {};
}

Message problemOf(const std::string& name, const FileLayout& layout, const DataFiles& files,
    const fs::path& path, const std::vector<fs::path>& directories)
{
    if (files.whole())
        return {};
    if (files.found())
        return problemOfMissing(layout, files);
    if (!path.empty())
        return problemOfPath(layout, path);
    std::vector<std::string> searched;
    searched.reserve(directories.size());
    for (const fs::path& directory : directories)
        searched.push_back(directory.string());
    return Message("data.not_found",
        { { "name", name }, { "folders", commaList(searched) }, { "content", layout.content } });
}

} // namespace accrue
