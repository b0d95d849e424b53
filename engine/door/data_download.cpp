// SPDX-License-Identifier: Apache-2.0
#include "engine/door/data_download.h"

#include <chrono>
#include <cmath>
#include <exception>
#include <system_error>

#include "engine/base/sentences.h"
#include "engine/data/published_sets.h"
#include "engine/download/download_errors.h"
#include "engine/download/mirrors.h"

namespace accrue {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenReports { 200 };
constexpr double kMemory = 3; // seconds over which the rate is averaged

// Adds the rate to the progress, and passes on only a few reports a second: who shows them redraws
// for each.
class RateMeter {
public:
    explicit RateMeter(const DownloadWatcher& watcher)
        : m_watcher(watcher)
    {
    }

    void report(DownloadProgress now)
    {
        const Clock::time_point time = Clock::now();
        const bool isNext = m_last && now.phase == m_last->phase && now.file == m_last->file;
        if (isNext && time - m_time < kBetweenReports)
            return;
        // A count that falls, or that an earlier call reached, says nothing about the rate.
        if (isNext && now.bytes >= m_last->bytes)
            average(static_cast<double>(now.bytes - m_last->bytes),
                std::chrono::duration<double>(time - m_time).count());
        now.bytesPerSecond = m_rate;
        if (m_rate >= 1)
            now.secondsLeft = static_cast<double>(now.totalBytes - now.bytes) / m_rate;
        m_last = now;
        m_time = time;
        m_watcher.progress(now);
    }

private:
    void average(double bytes, double seconds)
    {
        const double weight = m_rate == 0 ? 1 : 1 - std::exp(-seconds / kMemory);
        m_rate += (bytes / seconds - m_rate) * weight;
    }

    const DownloadWatcher& m_watcher;
    std::optional<DownloadProgress> m_last;
    Clock::time_point m_time;
    double m_rate = 0; // bytes a second
};

// Wrong names are refused here and not by the programs, so that both report the same.
const PublishedSet& requireSet(const std::string& name)
{
    if (const PublishedSet* set = findPublishedSet(name))
        return *set;
    throw DownloadRefused(unknownDownload(name));
}

Message stopMessage(const std::string& name, const fs::path& growing)
{
    std::error_code ignored;
    if (!fs::exists(growing, ignored))
        return Message("download.stopped_before_anything", { { "name", name } });
    return Message("download.stopped", { { "name", name }, { "folder", growing.string() } });
}

Message outcomeMessage(DownloadOutcome outcome, const PublishedSet& set, const fs::path& folder)
{
    if (outcome == DownloadOutcome::Stopped)
        return stopMessage(set.name, folder.string() + ".part");
    const bool isNew = outcome != DownloadOutcome::AlreadyThere;
    return Message(isNew ? "download.done" : "download.already_there",
        { { "name", set.name }, { "folder", folder.string() } });
}

} // namespace

std::vector<std::string> downloadableDataSets()
{
    return namesOfPublishedSets();
}

std::optional<std::int64_t> downloadBytes(const std::string& name)
{
    const PublishedSet* set = findPublishedSet(name);
    return set ? std::optional(bytesOf(set->files)) : std::nullopt;
}

DownloadResult downloadDataSet(
    const DownloadRequest& request, const DownloadWatcher& watcher, const std::stop_token& stop)
{
    DownloadResult result { DownloadOutcome::Failed, request.folder / request.name, {} };
    RateMeter meter(watcher);
    const DownloadWatcher metered { [&](const DownloadProgress& now) { meter.report(now); },
        watcher.reported };
    try {
        const PublishedSet& set = requireSet(request.name);
        result.outcome =
            downloadSet(set, mirrorsOf(set, request.mirrors), request.folder, metered, stop);
        result.message = outcomeMessage(result.outcome, set, result.folder);
    } catch (const DownloadRefused& error) {
        result.outcome = DownloadOutcome::Refused;
        result.message = error.message();
    } catch (const std::exception& error) {
        result.message = messageOf(error);
    }
    return result;
}

} // namespace accrue
