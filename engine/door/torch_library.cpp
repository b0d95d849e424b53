// SPDX-License-Identifier: Apache-2.0
#include "engine/door/torch_library.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <system_error>

#include "engine/base/places.h"
#include "engine/base/shared_library.h"

namespace accrue {
namespace fs = std::filesystem;
namespace {

// The entries of `folder` whose names begin with `prefix`, sorted; none if there is no such folder.
std::vector<fs::path> entriesOf(const fs::path& folder, std::string_view prefix)
{
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().filename().string().rfind(prefix, 0) == 0)
            found.push_back(entry->path());
    std::sort(found.begin(), found.end());
    return found;
}

// "__version__ = '2.11.0+cu130'" → 2.11.0+cu130; empty: the file does not state it.
std::string versionOf(const fs::path& torch)
{
    constexpr std::string_view kStart = "__version__ = '";
    std::ifstream file(torch / "version.py");
    for (std::string line; std::getline(file, line);)
        if (line.rfind(kStart, 0) == 0)
            return line.substr(kStart.size(), line.find('\'', kStart.size()) - kStart.size());
    return {};
}

bool holdsTorch(const fs::path& torch, const std::string& version)
{
    std::error_code error;
    if (!fs::exists(torch / "lib/libtorch_cpu.so", error))
        return false;
    const std::string found = versionOf(torch);
    // The part after + names what it was built for (cu130, cpu); the engine works with each.
    return version.empty() || found == version || found.rfind(version + "+", 0) == 0;
}

// What pip installed for the Python whose programs are in prefix/bin. Debian's own Python has other
// folders.
void addTorchOf(const fs::path& prefix, const std::string& version, std::vector<fs::path>& folders)
{
    for (const char* libraries : { "lib", "local/lib" })
        for (const fs::path& python : entriesOf(prefix / libraries, "python3"))
            for (const char* packages : { "site-packages", "dist-packages" })
                if (const fs::path torch = python / packages / "torch"; holdsTorch(torch, version))
                    folders.push_back(torch / "lib");
}

} // namespace

std::vector<fs::path> torchFolders(const std::string& version)
{
    std::vector<fs::path> folders;
    std::error_code error;
    if (const fs::path python = pathFromEnvironment("ACCRUE_PYTHON"); python.has_parent_path())
        addTorchOf(fs::absolute(python, error).parent_path().parent_path(), version, folders);
    fs::path setUp = pathFromEnvironment("ACCRUE_DEPS_DIR");
    if (setUp.empty())
        setUp = userCacheDirectory();
    for (const fs::path& environment : entriesOf(fs::absolute(setUp, error), "torch-"))
        // setup.sh writes this marker last, so an environment without it is incomplete.
        if (fs::exists(environment / ".accrue-whole", error))
            addTorchOf(environment, version, folders);
    return folders;
}

std::string openTorch(const fs::path& folder)
{
    // libc10 first: libtorch_cpu needs it, and the linker then uses the one that is already open.
    for (const char* name : { "libc10.so", "libtorch_cpu.so" })
        if (std::string reason = openShared(folder / name).reason; !reason.empty())
            return reason;
    return {};
}

} // namespace accrue
