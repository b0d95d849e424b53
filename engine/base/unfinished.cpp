// SPDX-License-Identifier: Apache-2.0
#include "engine/base/unfinished.h"

#include "engine/base/descriptor.h"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include <signal.h>
#include <unistd.h>

namespace accrue {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMark = ".writing-"; // and the id of the process that writes

// Whether the process `id` has ended; false if it is no number.
bool hasEnded(std::string_view id)
{
    pid_t process = 0;
    const auto parsed = std::from_chars(id.data(), id.data() + id.size(), process);
    return parsed.ec == std::errc() && parsed.ptr == id.data() + id.size() && process > 0
        && ::kill(process, 0) != 0 && errno == ESRCH;
}

// Another machine, whose processes cannot be checked, may share the folder: a day is longer than
// any of them writes.
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

Unfinished::Unfinished(const fs::path& target)
    : Unfinished(unfinishedNameOf(target), target)
{
    const fs::path folder = target.parent_path();
    removeUnfinished(folder.empty() ? "." : folder, target.filename().string());
    std::error_code ignored; // what remains is reported when it is created
    fs::remove_all(m_path, ignored); // left by a process that had our id
}

Unfinished::Unfinished(fs::path written, fs::path target)
    : m_path(std::move(written))
    , m_target(std::move(target))
{
}

Unfinished::~Unfinished()
{
    std::error_code ignored;
    if (!m_keep)
        fs::remove_all(m_path, ignored);
}

bool Unfinished::place()
{
    if (std::rename(m_path.c_str(), m_target.c_str()) != 0)
        return false;
    m_keep = true; // what gets m_path's name from now on is not ours
    trySyncFolder(m_target.parent_path());
    return true;
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
