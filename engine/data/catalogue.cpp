// SPDX-License-Identifier: Apache-2.0
#include "engine/data/catalogue.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <system_error>

namespace accrue {
namespace fs = std::filesystem;
namespace {

struct NamedSet {
    DataName name;
    std::string_view word;
};
constexpr NamedSet kSets[] = {
    { DataName::Digits, "digits" },
    { DataName::Mnist, "mnist" },
    { DataName::FashionMnist, "fashion-mnist" },
    { DataName::Cifar10, "cifar10" },
    { DataName::Cifar100, "cifar100" },
    { DataName::Idx, "idx" },
    { DataName::Images, "images" },
};

// How the files of a data set are called and where they may lie.
struct Layout {
    std::vector<std::string> train;
    std::vector<std::string> test;
    bool mayBePacked = false; // with .gz
    std::vector<std::string> folders; // of a data directory; empty text: the directory itself
    std::string archiveFolder; // what the published archive unpacks to; empty: no folder
    std::string words; // "MNIST's four files (…)"
};

Layout idxLayout(std::vector<std::string> folders, std::string words)
{
    return { { "train-images-idx3-ubyte", "train-labels-idx1-ubyte" },
        { "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte" }, true, std::move(folders), {},
        std::move(words) };
}

Layout makeLayout(DataName name)
{
    switch (name) {
    case DataName::Digits:
        break;
    case DataName::Mnist:
        return idxLayout(
            { "mnist", "" }, "MNIST's four files (train-images-idx3-ubyte.gz and the others)");
    case DataName::FashionMnist:
        return idxLayout({ "fashion-mnist" },
            "Fashion-MNIST's four files (train-images-idx3-ubyte.gz and the others)");
    case DataName::Cifar10:
        return { { "data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                     "data_batch_5.bin" },
            { "test_batch.bin" }, false, { "cifar10", "cifar-10", "" }, "cifar-10-batches-bin",
            "CIFAR-10's six binary files (data_batch_1.bin and the others)" };
    case DataName::Cifar100:
        return { { "train.bin" }, { "test.bin" }, false, { "cifar100", "cifar-100", "" },
            "cifar-100-binary", "CIFAR-100's two binary files (train.bin and test.bin)" };
    case DataName::Idx:
        return idxLayout({ "idx", "" },
            "four IDX files under MNIST's names (train-images-idx3-ubyte, plain or .gz, and the "
            "others)");
    case DataName::Images:
        return { {}, {}, false, { "images" }, {},
            "the folders train and test, each with a folder of pictures for each class, or such "
            "folders themselves" };
    }
    return {};
}

bool mayBeThere(const fs::path& file)
{
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    return error == std::errc::permission_denied || fs::exists(status);
}

// Empty: the file is not there in any form.
fs::path fileIn(const fs::path& folder, const std::string& name, bool mayBePacked)
{
    if (mayBeThere(folder / name))
        return folder / name;
    const fs::path packed = folder / (name + ".gz");
    return mayBePacked && mayBeThere(packed) ? packed : fs::path();
}

bool isFolder(const fs::path& path)
{
    std::error_code error;
    return fs::is_directory(path, error);
}

std::string lowered(std::string text)
{
    for (char& c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

// Not hidden, and not all of them: any folder of the machine may be asked about. What else lies in
// it does not count, but has a bound, too.
std::vector<fs::path> firstFolders(const fs::path& folder)
{
    constexpr std::size_t kMost = 1000;
    int left = 100'000; // names
    std::vector<fs::path> folders;
    std::error_code error;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, error);
         !error && entry != fs::directory_iterator() && folders.size() < kMost && left > 0;
         entry.increment(error), --left)
        if (!isHidden(entry->path()) && entry->is_directory(ignored))
            folders.push_back(entry->path());
    std::sort(folders.begin(), folders.end());
    return folders;
}

bool holdsClasses(const fs::path& folder)
{
    int classes = 0;
    for (const fs::path& entry : firstFolders(folder))
        if (holdsPicture(entry) && ++classes == 2)
            return true;
    return false;
}

// Nullopt: the folder holds no pictures by class.
std::optional<DataFiles> lookForPictures(const fs::path& folder)
{
    DataFiles files;
    files.folder = folder;
    std::vector<fs::path> others;
    for (const char* name : { "val", "valid", "validation" })
        if (mayBeThere(folder / name))
            others.push_back(folder / name);
    const fs::path train = folder / "train";
    const bool hasTest = mayBeThere(folder / "test");
    const bool hasParts = hasTest || !others.empty();
    // A class may be called train.
    if (!hasParts && holdsClasses(folder) && firstFolders(train).empty()) {
        files.train = { folder };
        return files;
    }
    if (!hasParts && !mayBeThere(train))
        return {};
    files.train = { train };
    if (!mayBeThere(train))
        files.missing.emplace_back("train");
    (hasTest ? files.validation : files.test) = others;
    if (hasTest)
        files.test = { folder / "test" };
    return files;
}

// Nullopt: the folder holds none of the files.
std::optional<DataFiles> lookInto(const fs::path& folder, const Layout& layout)
{
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
    if (files.missing.size() == layout.train.size() + layout.test.size())
        return {};
    return files;
}

std::vector<fs::path> candidates(
    const Layout& layout, const fs::path& path, const std::vector<fs::path>& directories)
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

std::string joined(const std::vector<std::string>& parts, const std::string& separator,
    const std::string& lastSeparator)
{
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? lastSeparator : separator) + parts[i];
    return text;
}

// Empty: none.
std::string partBesideTrain(const fs::path& folder)
{
    for (const char* part : { "test", "val", "valid", "validation" })
        if (isFolder(folder / "train") && isFolder(folder / part))
            return part;
    return {};
}

// " training and testing are there: rename them to train and test."; empty: nothing is called so.
std::string namesThatWereMeant(const fs::path& folder)
{
    std::vector<std::string> found;
    std::vector<std::string> meant;
    const std::vector<fs::path> entries = firstFolders(folder);
    for (const std::string part : { "train", "test" }) {
        const auto like = std::find_if(entries.begin(), entries.end(), [&](const fs::path& entry) {
            return lowered(entry.filename().string()).starts_with(part);
        });
        if (like == entries.end() || mayBeThere(folder / part))
            continue;
        found.push_back(like->filename().string());
        meant.push_back(part);
    }
    if (meant.empty() || meant.front() != "train")
        return {};
    return " " + joined(found, ", ", " and ")
        + (found.size() == 1 ? " is there: rename it to " : " are there: rename them to ")
        + joined(meant, ", ", " and ") + ".";
}

// Which name or level was probably meant; empty: nothing tells it.
std::string pathThatWasMeant(const fs::path& path)
{
    if (holdsPicture(path))
        return " Pictures lie in it directly: give the folder above it, whose folders are the"
               " classes.";
    for (const fs::path& entry : firstFolders(path))
        if (const std::string part = partBesideTrain(entry); !part.empty())
            return " " + entry.filename().string() + " has train and " + part
                + ": give that folder.";
    return namesThatWereMeant(path);
}

std::string problemOfPath(DataName name, const Layout& layout, const fs::path& path)
{
    std::error_code error;
    if (const fs::file_status status = fs::status(path, error); !fs::exists(status))
        return "data.path " + path.string() + " is not there: give the folder that holds "
            + layout.words + ".";
    else if (!fs::is_directory(status))
        return "data.path " + path.string() + " is a file: give the folder that holds "
            + layout.words + ".";
    return "data.path " + path.string() + " holds none of " + layout.words + "."
        + (name == DataName::Images ? pathThatWasMeant(path) : "");
}

std::string problemOfMissing(const Layout& layout, const DataFiles& files)
{
    return files.folder.string() + " is not whole: " + joined(files.missing, ", ", " and ")
        + (files.missing.size() == 1 ? " is" : " are") + " missing"
        + (layout.mayBePacked ? " (plain or .gz)." : ".");
}

} // namespace

bool isHidden(const fs::path& path)
{
    return path.filename().string().starts_with('.');
}

bool isPicture(const fs::path& file)
{
    constexpr std::array<std::string_view, 4> kExtensions { ".png", ".jpg", ".jpeg", ".webp" };
    return !isHidden(file)
        && std::find(kExtensions.begin(), kExtensions.end(), lowered(file.extension().string()))
        != kExtensions.end();
}

bool holdsPicture(const fs::path& folder)
{
    int left = 10'000; // names
    std::error_code error;
    for (fs::directory_iterator entry(folder, error);
         !error && entry != fs::directory_iterator() && left > 0; entry.increment(error), --left)
        if (isPicture(entry->path()) && !isFolder(entry->path()))
            return true;
    return false;
}

std::string_view nameOf(DataName name)
{
    for (const NamedSet& set : kSets)
        if (set.name == name)
            return set.word;
    return {};
}

std::optional<DataName> dataNamed(std::string_view name)
{
    for (const NamedSet& set : kSets)
        if (set.word == name)
            return set.name;
    return {};
}

std::string allDataNames()
{
    std::vector<std::string> words;
    for (const NamedSet& set : kSets)
        words.emplace_back(set.word);
    return joined(words, ", ", " or ");
}

DataFiles findDataFiles(
    DataName name, const fs::path& path, const std::vector<fs::path>& directories)
{
    const Layout layout = makeLayout(name);
    for (const fs::path& folder : candidates(layout, path, directories))
        if (auto files =
                name == DataName::Images ? lookForPictures(folder) : lookInto(folder, layout))
            return *files;
    return {};
}

std::string problemOf(DataName name, const DataFiles& files, const fs::path& path,
    const std::vector<fs::path>& directories)
{
    if (files.whole())
        return {};
    const Layout layout = makeLayout(name);
    if (files.found())
        return problemOfMissing(layout, files)
            + (name == DataName::Images ? namesThatWereMeant(files.folder) : "");
    if (!path.empty())
        return problemOfPath(name, layout, path);
    std::vector<std::string> searched;
    searched.reserve(directories.size());
    for (const fs::path& directory : directories)
        searched.push_back(directory.string());
    const std::string word(nameOf(name));
    return "No data set " + word + " was found in "
        + (searched.empty() ? "any data directory" : joined(searched, ", ", ", ")) + ": put "
        + layout.words + " into a subfolder " + word
        + " of one of them, or name their folder with data.path or their parent with --data.";
}

} // namespace accrue
