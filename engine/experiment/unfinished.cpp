// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/unfinished.h"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <string>
#include <system_error>

#include <signal.h>
#include <unistd.h>

namespace accrue {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMark = ".writing-"; // and the id of the process that writes

// Whether the process `id` has ended; no number at all is none.
bool hasEnded(std::string_view id)
{
    pid_t process = 0;
    const auto parsed = std::from_chars(id.data(), id.data() + id.size(), process);
    return parsed.ec == std::errc() && parsed.ptr == id.data() + id.size() && process > 0
        && ::kill(process, 0) != 0 && errno == ESRCH;
}

// Another machine may share the folder, whose processes cannot be asked for: a day is more than any
// of them writes.
bool isOld(const fs::path& path)
{
    std::error_code error;
    const auto changed = fs::last_write_time(path, error);
    return !error && changed < fs::file_time_type::clock::now() - std::chrono::days(1);
}

bool isLeftOver(const fs::path& path, std::string_view target)
{
    const std::string name = path.filename().string();
    const std::size_t mark = name.rfind(kMark);
    return mark != std::string::npos && (target.empty() || name.substr(0, mark) == target)
        && hasEnded(std::string_view(name).substr(mark + kMark.size())) && isOld(path);
}

} // namespace

fs::path unfinishedNameOf(const fs::path& target)
{
    fs::path name = target;
    name += std::string(kMark) + std::to_string(::getpid());
    return name;
}

void removeUnfinished(const fs::path& folder, std::string_view target)
{
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        std::error_code ignored;
        if (isLeftOver(entry->path(), target))
            fs::remove_all(entry->path(), ignored);
    }
}

} // namespace accrue
