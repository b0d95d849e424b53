// SPDX-License-Identifier: Apache-2.0
#include "engine/data/catalogue.h"

#include <array>
#include <string>
#include <system_error>

namespace accrue {
namespace fs = std::filesystem;
namespace {

constexpr std::array kFileNames { "train-images-idx3-ubyte", "train-labels-idx1-ubyte",
    "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte" };

bool mayBeThere(const fs::path& file)
{
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    return error == std::errc::permission_denied || fs::exists(status);
}

// Empty: neither form of the file is there.
fs::path plainOrPacked(const fs::path& folder, const std::string& name)
{
    for (const fs::path& file : { folder / name, folder / (name + ".gz") })
        if (mayBeThere(file))
            return file;
    return {};
}

IdxFiles lookInto(const fs::path& folder)
{
    IdxFiles files;
    files.folder = folder;
    const std::array slots { &files.trainImages, &files.trainLabels, &files.testImages,
        &files.testLabels };
    for (std::size_t i = 0; i < slots.size(); ++i) {
        *slots.at(i) = plainOrPacked(folder, kFileNames.at(i));
        if (slots.at(i)->empty())
            files.missing.emplace_back(kFileNames.at(i));
    }
    return files;
}

std::string joined(const std::vector<std::string>& parts, const char* separator)
{
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : separator) + part;
    return text;
}

std::string theFourFiles(DataName name)
{
    return name == DataName::Mnist
        ? "MNIST's four files (train-images-idx3-ubyte.gz and the others)"
        : "four IDX files under MNIST's names (train-images-idx3-ubyte, "
          "plain or .gz, and the others)";
}

std::string problemOfPath(DataName name, const fs::path& path)
{
    std::error_code error;
    if (const fs::file_status status = fs::status(path, error); !fs::exists(status))
        return "data.path " + path.string() + " is not there: give the folder that holds "
            + theFourFiles(name) + ".";
    else if (!fs::is_directory(status))
        return "data.path " + path.string() + " is a file: give the folder that holds "
            + theFourFiles(name) + ".";
    return "data.path " + path.string() + " holds none of " + theFourFiles(name) + ".";
}

} // namespace

std::string_view nameOf(DataName name)
{
    switch (name) {
    case DataName::Digits:
        return "digits";
    case DataName::Mnist:
        return "mnist";
    case DataName::Idx:
        return "idx";
    }
    return {};
}

IdxFiles findIdxFiles(DataName name, const fs::path& path, const std::vector<fs::path>& directories)
{
    std::vector<fs::path> candidates { path };
    if (path.empty()) {
        candidates.clear();
        for (const fs::path& directory : directories) {
            candidates.push_back(directory / nameOf(name));
            candidates.push_back(directory);
        }
    }
    for (const fs::path& candidate : candidates)
        if (IdxFiles files = lookInto(candidate); files.missing.size() < kFileNames.size())
            return files;
    return {};
}

std::string problemOf(DataName name, const IdxFiles& files, const fs::path& path,
    const std::vector<fs::path>& directories)
{
    if (files.whole())
        return {};
    if (files.found())
        return files.folder.string() + " is not whole: " + joined(files.missing, " and ")
            + (files.missing.size() == 1 ? " is" : " are") + " missing (plain or .gz).";
    if (!path.empty())
        return problemOfPath(name, path);
    std::vector<std::string> searched;
    searched.reserve(directories.size());
    for (const fs::path& directory : directories)
        searched.push_back(directory.string());
    return "No data set " + std::string(nameOf(name)) + " was found in "
        + (searched.empty() ? "any data directory" : joined(searched, ", ")) + ": put "
        + theFourFiles(name) + " into a subfolder " + std::string(nameOf(name))
        + " of one of them, or name their folder with data.path or their parent with --data.";
}

} // namespace accrue
