// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_folders.h"

#include "engine/base/case_folding.h"
#include "engine/base/sentences.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

namespace accrue {
namespace fs = std::filesystem;
namespace {

// In the order in which they are searched for.
constexpr std::array<const char*, 3> kValidationNames { "val", "valid", "validation" };

bool isFolder(const fs::path& path)
{
    std::error_code error;
    return fs::is_directory(path, error);
}

// Without hidden ones, and not all of them, because it may be any folder of the machine. Other
// entries do not count, but are limited, too.
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

// Two folders with pictures make a data set; a single one is more likely a folder of something
// else.
bool holdsClasses(const fs::path& folder)
{
    int classes = 0;
    for (const fs::path& entry : firstFolders(folder))
        if (holdsPicture(entry) && ++classes == 2)
            return true;
    return false;
}

// A folder with parts is never a folder of classes itself, because test or val would become classes
// then.
std::optional<DataFiles> look(const fs::path& folder)
{
    DataFiles files;
    files.folder = folder;
    std::vector<fs::path> others;
    for (const char* name : kValidationNames)
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

// Empty: none.
std::string partBesideTrain(const fs::path& folder)
{
    for (const char* part : { "test", "val", "valid", "validation" })
        if (isFolder(folder / "train") && isFolder(folder / part))
            return part;
    return {};
}

// For folders training and testing: that they have to be called train and test. Empty: no folder
// has a name like a part's.
Message namesThatWereMeant(const fs::path& folder)
{
    Message renames;
    const std::vector<fs::path> entries = firstFolders(folder);
    for (const std::string part : { "train", "test" }) {
        const auto like = std::find_if(entries.begin(), entries.end(), [&](const fs::path& entry) {
            return caseFolded(entry.filename().string()).starts_with(part);
        });
        const bool wasMeant = like != entries.end() && !mayBeThere(folder / part);
        if (part == "train" && !wasMeant)
            return {};
        if (wasMeant)
            renames = followedBy(renames,
                Message("data.images_rename",
                    { { "found", like->filename().string() }, { "meant", part } }));
    }
    return renames;
}

// The name or level that was probably meant. The usual mistakes are the folder above or below, and
// parts with other names.
Message advice(const fs::path& folder, bool found)
{
    if (found)
        return namesThatWereMeant(folder);
    if (holdsPicture(folder))
        return Message("data.images_level_above");
    for (const fs::path& entry : firstFolders(folder))
        if (const std::string part = partBesideTrain(entry); !part.empty())
            return Message(
                "data.images_level_below", { { "folder", entry.filename() }, { "part", part } });
    return namesThatWereMeant(folder);
}

} // namespace

FileLayout imageFolders()
{
    return { .folders = { "images" },
        .content = Message("data.files_of_images"),
        .look = look,
        .advice = advice };
}

bool isHidden(const fs::path& path)
{
    return path.filename().string().starts_with('.');
}

bool isPicture(const fs::path& file)
{
    constexpr std::array<std::string_view, 4> kExtensions { ".png", ".jpg", ".jpeg", ".webp" };
    return !isHidden(file)
        && std::find(kExtensions.begin(), kExtensions.end(), caseFolded(file.extension().string()))
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

} // namespace accrue
