// SPDX-License-Identifier: Apache-2.0
#include "engine/training/checkpoint_store.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iomanip>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace accrue {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kPrefix = "step-";

// The step of a folder's name; nullopt: it is no checkpoint's.
std::optional<std::int64_t> stepOf(const fs::path& folder)
{
    const std::string name = folder.filename().string();
    const char* end = name.data() + name.size();
    std::int64_t step = 0;
    if (name.rfind(kPrefix, 0) != 0)
        return {};
    const auto parsed = std::from_chars(name.data() + kPrefix.size(), end, step);
    return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(step) : std::nullopt;
}

} // namespace

fs::path checkpointAt(const fs::path& folder, std::int64_t step)
{
    std::ostringstream name;
    name << kPrefix << std::setw(9) << std::setfill('0') << step;
    return folder / name.str();
}

fs::path bestCheckpoint(const fs::path& folder)
{
    return folder / "best";
}

std::vector<fs::path> checkpointsIn(const fs::path& folder)
{
    std::vector<fs::path> found;
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error))
        if (stepOf(entry->path()))
            found.push_back(entry->path());
    std::sort(found.begin(), found.end(),
        [](const fs::path& a, const fs::path& b) { return stepOf(a) > stepOf(b); });
    return found;
}

CheckpointStore::CheckpointStore(
    fs::path folder, std::int64_t keep, std::function<void()> beforeCommit)
    : m_folder(std::move(folder))
    , m_keep(keep)
    , m_beforeCommit(std::move(beforeCommit))
{
}

CheckpointStore::~CheckpointStore() = default; // the future of std::async waits

void CheckpointStore::save(Checkpoint checkpoint, bool best)
{
    wait();
    m_saving = std::async(std::launch::async,
        [this, best, saved = std::make_shared<const Checkpoint>(std::move(checkpoint))] {
            return write(*saved, best);
        });
}

std::optional<CheckpointStore::Saved> CheckpointStore::taken()
{
    if (!m_saving.valid()
        || m_saving.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        return {};
    return m_saving.get();
}

std::optional<CheckpointStore::Saved> CheckpointStore::wait()
{
    if (!m_saving.valid())
        return {};
    return m_saving.get();
}

CheckpointStore::Saved CheckpointStore::write(const Checkpoint& checkpoint, bool best) const
{
    const std::int64_t step = checkpoint.state.position.step;
    Saved saved { .step = step, .folder = checkpointAt(m_folder, step), .problem = {} };
    try {
        m_beforeCommit();
        writeCheckpoint(saved.folder, checkpoint);
        if (best)
            writeCheckpoint(bestCheckpoint(m_folder), checkpoint);
        removeOthers(step);
    } catch (const std::exception& error) {
        saved.problem = error.what();
    }
    return saved;
}

// Of a run that was resumed from an earlier step, later ones are of an attempt that is superseded.
void CheckpointStore::removeOthers(std::int64_t step) const
{
    std::int64_t kept = 0;
    for (const fs::path& folder : checkpointsIn(m_folder)) {
        const bool later = stepOf(folder) > step;
        std::error_code ignored; // a folder that stays costs space, not correctness
        if (later || ++kept > m_keep)
            fs::remove_all(folder, ignored);
    }
}

} // namespace accrue
