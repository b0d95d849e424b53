// SPDX-License-Identifier: Apache-2.0
#include "engine/door/checkpoints.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

namespace accrue {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kPrefix = "step-";

} // namespace

fs::path checkpointAt(const fs::path& folder, std::int64_t step)
{
    const std::string number = std::to_string(step);
    const std::string zeros(9 - std::min<std::size_t>(9, number.size()), '0');
    return folder / (std::string(kPrefix) + zeros + number);
}

// Leading zeros, so that a listing by name is in the order of the steps.
fs::path bestCheckpoint(const fs::path& folder)
{
    return folder / "best";
}

std::optional<std::int64_t> stepOfCheckpoint(const fs::path& checkpoint)
{
    const std::string name = checkpoint.filename().string();
    const char* end = name.data() + name.size();
    std::int64_t step = 0;
    if (name.rfind(kPrefix, 0) != 0)
        return {};
    const auto parsed = std::from_chars(name.data() + kPrefix.size(), end, step);
    return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(step) : std::nullopt;
}

std::vector<fs::path> checkpointsIn(const fs::path& folder)
{
    // Errors end the listing without a report: before the first checkpoint there is no folder.
    std::vector<fs::path> found;
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error))
        if (stepOfCheckpoint(entry->path()))
            found.push_back(entry->path());
    // By number: with ten digits, the order of the names is not that of the steps.
    std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
        return stepOfCheckpoint(a) > stepOfCheckpoint(b);
    });
    return found;
}

ResumeChoice chooseCheckpoint(Engine& engine, const fs::path& folder, const CheckpointCheck& check)
{
    ResumeChoice choice;
    for (const fs::path& checkpoint : checkpointsIn(folder)) {
        // Reads every byte, because damage shows only in the digests. A checkpoint that merely
        // looks complete would be chosen here and fail later, when the run loads it.
        SavedCheckpoint saved = engine.inspect(checkpoint);
        if (saved.problem.empty())
            saved.problem = check(saved);
        if (saved.problem.empty()) {
            choice.newest = std::move(saved);
            break;
        }
        choice.damaged.push_back(std::move(saved));
    }
    return choice;
}

Message problemOfFolder(const fs::path& folder)
{
    std::error_code ignored;
    // `status` would follow the link and report the folder behind it.
    if (!fs::is_symlink(fs::symlink_status(folder, ignored)))
        return {};
    return Message("checkpoint.folder_is_link", { { "folder", folder.string() } });
}

Experiment resumedSettings(
    const Experiment& logged, int threads, const std::optional<SavedCheckpoint>& from)
{
    Experiment experiment = logged;
    // The open window has already computed micro-batches of the old size, and its state counts
    // them.
    if (from && from->inWindow) {
        experiment.batch = from->experiment.batch;
        // A checkpoint has the number of "all" devices.
        if (withDevicesCounted(logged).batch.devices == experiment.batch.devices)
            experiment.batch.devices = logged.batch.devices;
    }
    if (!from && !experiment.run.threads && threads > 0)
        experiment.run.threads = threads;
    return experiment;
}

DataIdentity trainedOn(const std::optional<SavedCheckpoint>& from, const DataIdentity& logged)
{
    return from && from->data.isKnown() ? from->data : logged;
}

} // namespace accrue
