// SPDX-License-Identifier: Apache-2.0
#include "engine/download/download.h"

#include "engine/base/sentences.h"
#include "engine/base/sha.h"
#include "engine/download/download_archive.h"
#include "engine/download/download_folder.h"
#include "engine/download/mirrors.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <system_error>

namespace accrue {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Phase = DownloadProgress::Phase;

// A server that drops the connection every few megabytes still delivers the file; the limit ends
// one that sends a byte each time.
constexpr int kMostTries = 100; // of one mirror
constexpr double kBetweenReports = 0.2; // seconds
constexpr double kMemory = 3; // seconds over which the rate is averaged

std::int64_t sizeOf(const fs::path& path)
{
    std::error_code error;
    const auto size = fs::file_size(path, error);
    return error ? 0 : static_cast<std::int64_t>(size);
}

// The size first: it costs nothing, and hashing CIFAR-10 takes half a second.
bool isPublished(const fs::path& path, const PublishedFile& file)
{
    return sizeOf(path) == file.bytes && (file.sha256.empty() || sha256OfFile(path) == file.sha256);
}

// Those of set.kept() that are not in `target`.
std::vector<PublishedFile> missingIn(const fs::path& target, const PublishedSet& set)
{
    const auto refuse = [](const fs::path& path) {
        throw DownloadRefused(Message("download.other_file", { { "file", path } }));
    };
    std::error_code ignored;
    if (fs::exists(target, ignored) && !fs::is_directory(target, ignored))
        refuse(target);
    std::vector<PublishedFile> missing;
    for (const PublishedFile& file : set.kept()) {
        if (!fs::exists(fs::symlink_status(target / file.name, ignored)))
            missing.push_back(file);
        else if (!isPublished(target / file.name, file))
            refuse(target / file.name);
    }
    return missing;
}

// One call of downloadSet, from the lock to the installed files. Files grow in the set's part
// folder, and only whole ones get their place, so that a reader never sees half a data set.
class SetDownload {
public:
    explicit SetDownload(const SetRequest& request)
        : m_request(request)
        , m_set(request.set)
        , m_folder(request.folder, request.set.name)
    {
    }

    DownloadOutcome run()
    {
        // Under the lock: the process that held it before may have installed them.
        const std::vector<PublishedFile> missing = missingIn(m_folder.target(), m_set);
        if (missing.empty())
            return DownloadOutcome::AlreadyThere;
        m_wanted = isPacked() ? m_set.files : missing;
        requireRoom();
        for (const PublishedFile& file : m_wanted)
            if (!download(file))
                return DownloadOutcome::Stopped;
        if (isPacked() && !unpack())
            return DownloadOutcome::Stopped;
        m_folder.install(missing);
        return DownloadOutcome::Downloaded;
    }

private:
    bool isPacked() const { return !m_set.members.empty(); }
    fs::path wholeOf(const PublishedFile& file) const { return m_folder.growing() / file.name; }
    fs::path partOf(const PublishedFile& file) const { return wholeOf(file).string() + ".part"; }

    // Members of an archive need their room beside the archive, which stays until all are written.
    void requireRoom() const
    {
        std::int64_t needed = bytesOf(m_set.members);
        for (const PublishedFile& file : m_wanted)
            needed += std::max<std::int64_t>(
                file.bytes - std::max(sizeOf(wholeOf(file)), sizeOf(partOf(file))), 0);
        std::error_code error;
        const auto space = fs::space(m_folder.growing(), error);
        if (error || space.available >= static_cast<std::uintmax_t>(needed))
            return;
        throw Error(Message("download.no_room",
            { { "target", m_folder.target() }, { "needed", ByteCount { needed } },
                { "free", ByteCount { static_cast<std::int64_t>(space.available) } } }));
    }

    // False: stopped.
    bool download(const PublishedFile& file)
    {
        m_tried = {};
        bool isWhole = isPublished(wholeOf(file), file); // of a call before this
        for (const std::string& mirror : m_request.mirrors) {
            isWhole = isWhole
                || downloadFrom(mirror + (mirror.ends_with('/') ? "" : "/") + file.name, file);
            if (!isWhole && m_request.stop.stop_requested())
                return false;
        }
        if (!isWhole)
            failEverywhere(file);
        m_done += file.bytes;
        return true;
    }

    // False: the mirror does not have the file, or the user stopped.
    bool downloadFrom(const std::string& url, const PublishedFile& file)
    {
        bool mayRestart = true;
        for (int tries = 1;; ++tries) {
            const std::int64_t before = sizeOf(partOf(file));
            const Message fault = request(url, file);
            if (fault.empty() || m_request.stop.stop_requested())
                return fault.empty();
            const std::int64_t now = sizeOf(partOf(file));
            // Where nothing is left, it was begun with bytes of another file: once more, from the
            // beginning.
            const bool restarts = mayRestart && before > 0 && now == 0;
            mayRestart = mayRestart && !restarts;
            const bool again = tries < kMostTries && (now > before || restarts);
            const Message failure(again ? "download.mirror_again" : "download.mirror_failed",
                { { "url", withoutUser(url) }, { "reason", fault } });
            m_request.watcher.reported(failure);
            if (again)
                continue;
            m_tried = followedBy(m_tried, failure);
            return false;
        }
    }

    // One request. Returns why the file did not get its place; empty: it did. Nothing is left of a
    // whole file that is not the published one.
    Message request(const std::string& url, const PublishedFile& file)
    {
        const auto arrived = [&](std::int64_t bytes) {
            report(Phase::Downloading, file, m_done + bytes);
        };
        const fs::path part = partOf(file);
        if (const Message fault = downloadFile(
                { url, file.bytes, part, arrived, m_request.stop, m_request.patience });
            !fault.empty())
            return fault;
        report(Phase::Checking, file, m_done + file.bytes);
        if (isPublished(part, file))
            return fs::rename(part, wholeOf(file)), Message();
        fs::remove(part);
        return Message("download.other_digest");
    }

    // It had the published SHA-256 a moment ago. Where it still cannot be unpacked, this copy is
    // damaged, and the next call starts from the beginning. False: stopped.
    bool unpack()
    {
        const PublishedFile& archive = m_set.files.front();
        const auto unpacked = [&](std::int64_t bytes) { report(Phase::Unpacking, archive, bytes); };
        try {
            return unpackArchive(
                m_set, wholeOf(archive), m_folder.growing(), unpacked, m_request.stop);
        } catch (const DiskError&) { // no fault of the archive, which need not be downloaded again
            throw;
        } catch (const Error&) {
            m_folder.removeAll();
            throw;
        }
    }

    // Only a few reports a second: who shows them redraws for each.
    void report(Phase phase, const PublishedFile& file, std::int64_t bytes)
    {
        const Clock::time_point time = Clock::now();
        const double seconds = std::chrono::duration<double>(time - m_time).count();
        const std::int64_t all = bytesOf(phase == Phase::Unpacking ? m_set.members : m_wanted);
        const bool isNext = phase == m_last.phase && file.name == m_last.file;
        if (isNext && seconds < kBetweenReports && bytes < all)
            return;
        DownloadProgress now { phase, file.name, bytes, all, m_last.bytesPerSecond };
        double& rate = now.bytesPerSecond;
        // A count that falls, or that an earlier call reached, says nothing about the rate.
        if (isNext && bytes >= m_last.bytes && seconds > 0) {
            const double weight = rate == 0 ? 1 : 1 - std::exp(-seconds / kMemory);
            rate += (static_cast<double>(bytes - m_last.bytes) / seconds - rate) * weight;
        }
        if (rate >= 1)
            now.secondsLeft = static_cast<double>(all - bytes) / rate;
        m_last = now;
        m_time = time;
        m_request.watcher.progress(now);
    }

    [[noreturn]] void failEverywhere(const PublishedFile& file) const
    {
        const Message failure("download.failed_everywhere",
            { { "file", file.name }, { "name", m_set.name }, { "tried", m_tried },
                { "mirrors", userMirrorsFile() } });
        const std::int64_t arrived = m_done + sizeOf(partOf(file));
        const Message stored = arrived == 0
            ? Message()
            : Message("download.stored", { { "bytes", ByteCount { arrived } } });
        throw Error(followedBy(failure, stored));
    }

    const SetRequest& m_request;
    const PublishedSet& m_set;
    const DownloadFolder m_folder;
    std::vector<PublishedFile> m_wanted; // to be downloaded
    std::int64_t m_done = 0; // bytes of those that are whole
    Message m_tried; // why no mirror had the current file, a sentence each
    DownloadProgress m_last; // reported, at m_time
    Clock::time_point m_time;
};

Message messageOf(DownloadOutcome outcome, const std::string& name, const fs::path& folder)
{
    const fs::path growing = folder.string() + ".part";
    std::error_code ignored;
    if (outcome != DownloadOutcome::Stopped)
        return Message(
            outcome == DownloadOutcome::Downloaded ? "download.done" : "download.already_there",
            { { "name", name }, { "folder", folder } });
    if (!fs::exists(growing, ignored))
        return Message("download.stopped_before_anything", { { "name", name } });
    return Message("download.stopped", { { "name", name }, { "folder", growing } });
}

} // namespace

DownloadOutcome downloadSet(const SetRequest& request)
{
    // A folder that may only be read needs no lock where everything is there.
    if (missingIn(request.folder / request.set.name, request.set).empty())
        return DownloadOutcome::AlreadyThere;
    return SetDownload(request).run();
}

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
    try {
        const PublishedSet* const set = findPublishedSet(request.name);
        if (set == nullptr)
            throw DownloadRefused(unknownDownload(request.name));
        result.outcome =
            downloadSet({ *set, mirrorsOf(*set, request.mirrors), request.folder, watcher, stop });
        result.message = messageOf(result.outcome, request.name, result.folder);
    } catch (const DownloadRefused& error) {
        result = { DownloadOutcome::Refused, result.folder, error.message() };
    } catch (const std::exception& error) {
        result.message = messageOf(error);
    }
    return result;
}

} // namespace accrue
