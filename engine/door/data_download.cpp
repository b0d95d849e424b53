// SPDX-License-Identifier: Apache-2.0
#include "engine/door/data_download.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <numeric>
#include <system_error>

#include "engine/data/download.h"

namespace accrue {
namespace {

using Clock = std::chrono::steady_clock;
using Outcome = DownloadResult::Outcome;

constexpr std::chrono::milliseconds kBetweenReports { 200 };
constexpr double kMemory = 3; // seconds over which the rate is averaged

DownloadProgress::Phase phaseOf(FetchProgress::Phase phase)
{
    switch (phase) {
    case FetchProgress::Phase::Checking:
        return DownloadProgress::Phase::Checking;
    case FetchProgress::Phase::Unpacking:
        return DownloadProgress::Phase::Unpacking;
    case FetchProgress::Phase::Fetching:
        break;
    }
    return DownloadProgress::Phase::Fetching;
}

// Turns counts of bytes into rates, and many reports into a few.
class Reporter {
public:
    explicit Reporter(const DownloadWatcher& watcher)
        : m_watcher(watcher)
    {
    }

    void take(const FetchProgress& now)
    {
        const Clock::time_point time = Clock::now();
        const bool sameFile = now.phase == m_last.phase && now.file == m_last.file;
        if (m_begun && sameFile && time - m_time < kBetweenReports)
            return;
        const double seconds = std::chrono::duration<double>(time - m_time).count();
        // Bytes that go back, or that a call before brought, tell nothing of the rate.
        if (m_begun && sameFile && now.bytes >= m_last.bytes)
            average(static_cast<double>(now.bytes - m_last.bytes) / seconds, seconds);
        m_begun = true;
        m_last = now;
        m_time = time;
        report();
    }

private:
    void average(double rate, double seconds)
    {
        m_rate += (rate - m_rate) * (m_rate == 0 ? 1 : 1 - std::exp(-seconds / kMemory));
    }

    void report() const
    {
        DownloadProgress progress { phaseOf(m_last.phase), m_last.file, m_last.bytes,
            m_last.totalBytes, m_rate, {} };
        if (m_rate >= 1)
            progress.secondsLeft = static_cast<double>(m_last.totalBytes - m_last.bytes) / m_rate;
        m_watcher.progress(progress);
    }

    const DownloadWatcher& m_watcher;
    bool m_begun = false;
    FetchProgress m_last;
    Clock::time_point m_time;
    double m_rate = 0; // bytes a second
};

std::string keptOf(const DownloadSet& set, const std::filesystem::path& growing)
{
    std::error_code ignored;
    if (!std::filesystem::exists(growing, ignored))
        return "Stopped; nothing of " + set.name + " had arrived.";
    return "Stopped; what has arrived of " + set.name + " is kept in " + growing.string()
        + ", and fetching it again goes on from there.";
}

std::string messageOf(FetchEnd end, const DownloadSet& set, const std::filesystem::path& folder)
{
    switch (end) {
    case FetchEnd::AlreadyThere:
        return set.name + " is in " + folder.string() + " already; nothing was fetched.";
    case FetchEnd::Stopped:
        return keptOf(set, folder.string() + ".part");
    case FetchEnd::Fetched:
        break;
    }
    return set.name + " is in " + folder.string() + " now; "
        + (set.fetched.size() == 1 ? "the archive has" : "its files have")
        + " the SHA-256 of the published one" + (set.fetched.size() == 1 ? "." : "s.");
}

Outcome outcomeOf(FetchEnd end)
{
    switch (end) {
    case FetchEnd::AlreadyThere:
        return Outcome::AlreadyThere;
    case FetchEnd::Stopped:
        return Outcome::Stopped;
    case FetchEnd::Fetched:
        break;
    }
    return Outcome::Fetched;
}

} // namespace

std::vector<std::string> downloadableDataSets()
{
    std::vector<std::string> names;
    names.reserve(publishedSets().size());
    for (const DownloadSet& set : publishedSets())
        names.push_back(set.name);
    return names;
}

std::optional<std::int64_t> downloadBytes(const std::string& name)
{
    for (const DownloadSet& set : publishedSets())
        if (set.name == name)
            return std::accumulate(set.fetched.begin(), set.fetched.end(), std::int64_t { 0 },
                [](std::int64_t sum, const PublishedFile& file) { return sum + file.bytes; });
    return {};
}

DownloadResult downloadDataSet(
    const DownloadRequest& request, const DownloadWatcher& watcher, const std::stop_token& stop)
{
    DownloadResult result { Outcome::Failed, request.folder / request.name, {} };
    Reporter reporter(watcher);
    const FetchWatcher inner { [&](const FetchProgress& progress) { reporter.take(progress); },
        watcher.said };
    try {
        const DownloadSet& set = publishedSet(request.name);
        const FetchEnd end =
            fetchPublishedSet(set, mirrorsOf(set, request.mirrors), request.folder, inner, stop);
        result.outcome = outcomeOf(end);
        result.message = messageOf(end, set, result.folder);
    } catch (const DownloadRefused& error) {
        result.outcome = Outcome::Refused;
        result.message = error.what();
    } catch (const std::exception& error) {
        result.message = error.what();
    }
    return result;
}

} // namespace accrue
