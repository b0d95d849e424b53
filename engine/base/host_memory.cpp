// SPDX-License-Identifier: Apache-2.0
#include "engine/base/host_memory.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>

namespace accrue {
namespace fs = std::filesystem;
namespace {

// A container, a batch job or a service has less memory than the machine, and only the kernel's
// control groups show how much. Version 2 has one tree for all resources; version 1 one tree each,
// and both may be mounted side by side, so each line of /proc/self/cgroup is followed.

// The files of a version of control groups.
struct GroupFiles {
    const char* folder;
    const char* limit;
    const char* usage;
    const char* cache; // key of memory.stat
};
constexpr GroupFiles kVersion1 { "sys/fs/cgroup/memory", "memory.limit_in_bytes",
    "memory.usage_in_bytes", "total_inactive_file" };
constexpr GroupFiles kVersion2 { "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file" };

// Empty: the value does not begin with a number that fits; "max" is none.
std::optional<std::int64_t> numberIn(const fs::path& file, std::string_view key = {})
{
    const std::string text = valueIn(file, key);
    std::int64_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    return parsed.ec == std::errc() ? std::optional(number) : std::nullopt;
}

std::int64_t kibibytes(const fs::path& meminfo, std::string_view key)
{
    const auto number = numberIn(meminfo, key);
    return number ? *number * 1024 : -1;
}

// The group's path in a line of /proc/self/cgroup, "4:memory:/a/b" or "0::/a/b"; empty: the group
// does not limit memory.
std::string groupIn(std::string_view line, bool& isVersion2)
{
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos)
        return {};
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    isVersion2 = controllers.empty();
    // Between commas, so that "memory" is not found within another controller's name.
    const std::string list = "," + std::string(controllers) + ",";
    if (!isVersion2 && list.find(",memory,") == list.npos)
        return {};
    return std::string(line.substr(second + 1));
}

void lower(std::int64_t& bytes, std::int64_t limit)
{
    bytes = bytes < 0 ? limit : std::min(bytes, limit);
}

void applyGroup(HostMemory& memory, const fs::path& folder, const GroupFiles& files)
{
    const auto limit = numberIn(folder / files.limit);
    if (!limit) // "max" of version 2; version 1 writes a number that no machine reaches
        return;
    lower(memory.totalBytes, *limit);
    const auto usage = numberIn(folder / files.usage);
    if (!usage)
        return;
    // The kernel drops cached files that nobody has read lately before it kills a process.
    // Pages that are only cached count as usage, but are given up on demand.
    const std::int64_t cache = numberIn(folder / "memory.stat", files.cache).value_or(0);
    lower(memory.freeBytes, std::max<std::int64_t>(*limit - *usage + cache, 0));
}

// The group and all above it. In a container the process's own group may be the root of the visible
// tree, whatever its path is outside.
void applyGroups(
    HostMemory& memory, const fs::path& root, const std::string& group, const GroupFiles& files)
{
    const fs::path top = root / files.folder;
    for (fs::path path = fs::path(group).relative_path(); !path.empty(); path = path.parent_path())
        applyGroup(memory, top / path, files);
    applyGroup(memory, top, files);
}

} // namespace

std::string valueIn(const fs::path& file, std::string_view key)
{
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with(key))
            continue;
        const std::string_view rest = std::string_view(line).substr(key.size());
        const std::size_t begin = std::min(rest.find_first_not_of(" \t:"), rest.size());
        if (key.empty() || begin > 0) // or it is another key, which only begins alike
            return std::string(rest.substr(begin));
    }
    return {};
}

HostMemory hostMemory(const fs::path& root)
{
    const fs::path meminfo = root / "proc/meminfo";
    HostMemory memory { kibibytes(meminfo, "MemTotal"), kibibytes(meminfo, "MemAvailable") };
    std::ifstream groups(root / "proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        bool isVersion2 = false;
        if (const std::string group = groupIn(line, isVersion2); !group.empty())
            applyGroups(memory, root, group, isVersion2 ? kVersion2 : kVersion1);
    }
    return memory;
}

} // namespace accrue
