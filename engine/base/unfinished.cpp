// SPDX-License-Identifier: Apache-2.0
#include "engine/base/unfinished.h"

#include "engine/base/descriptor.h"
#include "engine/base/format.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <system_error>
#include <utility>

#include <signal.h>
#include <unistd.h>

namespace accrue {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMark = ".writing-"; // and who writes: PID-RANDOM, formerly PID
constexpr int kRandomDigits = 8;

// Containers and machines that share a folder have processes of the same id.
fs::path unfinishedNameOf(const fs::path& target)
{
    static_assert(
        kRandomDigits * 4 == std::numeric_limits<std::random_device::result_type>::digits);
    fs::path name = target;
    name += std::string(kMark) + std::to_string(::getpid()) + "-"
        + hexadecimal(std::random_device {}(), kRandomDigits);
    return name;
}

// The id of the process in PID-RANDOM or PID; 0: it is neither.
pid_t processOf(std::string_view writer)
{
    const std::string_view id = writer.substr(0, writer.find('-'));
    const std::string_view random = writer.substr(std::min(id.size() + 1, writer.size()));
    pid_t process = 0;
    const auto parsed = std::from_chars(id.data(), id.data() + id.size(), process);
    const bool isId = parsed.ec == std::errc() && parsed.ptr == id.data() + id.size();
    const bool isRandom = random.size() == std::size_t { kRandomDigits }
        && random.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    return isId && process > 0 && (id.size() == writer.size() || isRandom) ? process : 0;
}

// A program in a container often has the same id at every start, so that ours says nothing of who
// wrote it.
bool mayHaveEnded(pid_t process)
{
    return process == ::getpid() || (::kill(process, 0) != 0 && errno == ESRCH);
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
    if (mark == std::string::npos || (!target.empty() && name.substr(0, mark) != target))
        return false;
    const pid_t process = processOf(std::string_view(name).substr(mark + kMark.size()));
    return process > 0 && mayHaveEnded(process) && isOld(path);
}

} // namespace

Unfinished::Unfinished(const fs::path& target)
    : Unfinished(unfinishedNameOf(target), target)
{
    const fs::path folder = target.parent_path();
    removeUnfinished(folder.empty() ? "." : folder, target.filename().string());
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
