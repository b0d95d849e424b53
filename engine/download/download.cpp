// SPDX-License-Identifier: Apache-2.0
#include "engine/download/download.h"

#include "engine/base/sentences.h"
#include "engine/base/sha.h"
#include "engine/data/published_sets.h"
#include "engine/download/download_archive.h"
#include "engine/download/download_errors.h"
#include "engine/download/download_folder.h"
#include "engine/download/mirrors.h"

#include <algorithm>
#include <system_error>

namespace accrue {
namespace {

namespace fs = std::filesystem;
using Kind = ServerAnswer::Kind;
using Phase = DownloadProgress::Phase;

// A server that drops the connection every few megabytes still delivers the file, so tries that
// bring something cost nothing; the limit on all tries ends a server that sends one byte each time.
constexpr int kMostIdleTries = 2; // of one mirror, in a row, that bring nothing or stall
constexpr int kMostTries = 100; // of one mirror

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
    std::error_code ignored;
    if (const auto status = fs::status(target, ignored);
        fs::exists(status) && !fs::is_directory(status))
        throw DownloadRefused(Message("download.no_folder", { { "target", target } }));
    std::vector<PublishedFile> missing;
    for (const PublishedFile& file : set.kept()) {
        if (!fs::exists(fs::symlink_status(target / file.name, ignored)))
            missing.push_back(file);
        else if (!isPublished(target / file.name, file))
            throw DownloadRefused(
                Message("download.other_file", { { "file", target / file.name } }));
    }
    return missing;
}

// One call of downloadSet, from the lock to the installed files. Files grow in the set's part
// folder, and only whole ones get their place, so that a reader never sees half a data set.
class SetDownload {
public:
    SetDownload(const PublishedSet& set, const std::vector<std::string>& mirrors,
        const fs::path& folder, const DownloadWatcher& watcher, const std::stop_token& stop,
        const DownloadPatience& patience)
        : m_set(set)
        , m_mirrors(mirrors)
        , m_watcher(watcher)
        , m_stop(stop)
        , m_folder(folder, set.name)
        , m_client(patience)
    {
    }

    DownloadOutcome run();

private:
    bool isPacked() const { return !m_set.members.empty(); }
    fs::path partOf(const std::string& file) const { return m_folder.growing() / (file + ".part"); }
    // An archive is not installed itself.
    fs::path wholeOf(const std::string& file) const
    {
        return (isPacked() ? m_folder.growing() : m_folder.ready()) / file;
    }
    std::int64_t arrivedOf(const std::string& file) const
    {
        return std::max(sizeOf(wholeOf(file)), sizeOf(partOf(file)));
    }
    void requireRoom() const;
    bool download(const PublishedFile& file);
    bool downloadFrom(const std::string& mirror, const PublishedFile& file);
    ServerAnswer answerOf(const std::string& url, const PublishedFile& file);
    bool acceptIfPublished(const PublishedFile& file);
    bool unpack();
    void report(Phase phase, const std::string& file, std::int64_t bytes) const;
    void reportFailure(const std::string& url, const Message& reason);
    [[noreturn]] void failEverywhere(const PublishedFile& file) const;

    const PublishedSet& m_set;
    const std::vector<std::string>& m_mirrors;
    const DownloadWatcher& m_watcher;
    const std::stop_token& m_stop;
    const DownloadFolder m_folder;
    DownloadClient m_client;
    std::vector<PublishedFile> m_wanted; // to be downloaded
    std::int64_t m_done = 0; // bytes of those that are whole
    Message m_tried; // why no mirror had the current file, a sentence each
};

void SetDownload::report(Phase phase, const std::string& file, std::int64_t bytes) const
{
    const auto& all = phase == Phase::Unpacking ? m_set.members : m_wanted;
    m_watcher.progress({ phase, file, bytes, bytesOf(all) });
}

void SetDownload::reportFailure(const std::string& url, const Message& reason)
{
    const Message failure(
        "download.mirror_failed", { { "url", withoutUser(url) }, { "reason", reason } });
    m_tried = followedBy(m_tried, failure);
    m_watcher.reported(failure);
}

// Members of an archive need their room beside the archive, which stays until all are written.
void SetDownload::requireRoom() const
{
    std::int64_t bytes = bytesOf(m_set.members);
    for (const PublishedFile& file : m_wanted)
        bytes += std::max<std::int64_t>(file.bytes - arrivedOf(file.name), 0);
    m_folder.requireRoom(bytes);
}

// Puts the whole file where it is installed or unpacked from. False, and nothing of it is left,
// where it is another one.
bool SetDownload::acceptIfPublished(const PublishedFile& file)
{
    report(Phase::Checking, file.name, m_done + file.bytes);
    const fs::path part = partOf(file.name);
    const bool published = isPublished(part, file);
    if (published)
        fs::rename(part, wholeOf(file.name));
    removePart(part);
    return published;
}

// Requests a file from one mirror again as long as each try brings more than there ever was.
ServerAnswer SetDownload::answerOf(const std::string& url, const PublishedFile& file)
{
    const FileRequest request { url, file.bytes, partOf(file.name) };
    const auto arrived = [&](std::int64_t bytes) {
        report(Phase::Downloading, file.name, m_done + bytes);
    };
    ServerAnswer answer;
    std::int64_t most = arrivedOf(file.name);
    int idle = 0;
    for (int tries = 0; tries < kMostTries && idle < kMostIdleTries; ++tries) {
        answer = m_client.download(request, arrived, m_stop);
        if (answer.kind != Kind::Broken && answer.kind != Kind::Stalled)
            return answer;
        const std::int64_t now = arrivedOf(file.name);
        idle = now > most && answer.kind == Kind::Broken ? 0 : idle + 1;
        most = std::max(most, now);
        if (idle < kMostIdleTries)
            m_watcher.reported(Message("download.mirror_again",
                { { "url", withoutUser(url) }, { "reason", answer.reason } }));
    }
    return answer;
}

// False: the mirror does not have the file, or the user stopped.
bool SetDownload::downloadFrom(const std::string& mirror, const PublishedFile& file)
{
    const std::string url = mirror + (mirror.back() == '/' ? "" : "/") + file.name;
    // What another mirror began, or what was another file then, is no fault of this mirror.
    for (int tries = arrivedOf(file.name) > 0 ? 2 : 1; tries > 0; --tries) {
        const ServerAnswer answer = answerOf(url, file);
        if (answer.kind == Kind::Complete && acceptIfPublished(file))
            return true;
        if (answer.kind == Kind::Stopped)
            return false;
        if (answer.kind != Kind::Complete) {
            reportFailure(url, answer.reason);
            return false;
        }
    }
    reportFailure(url, Message("download.other_digest"));
    return false;
}

void SetDownload::failEverywhere(const PublishedFile& file) const
{
    const Message failure("download.failed_everywhere",
        { { "file", file.name }, { "name", m_set.name }, { "tried", m_tried },
            { "mirrors", userMirrorsFile() } });
    const std::int64_t arrived = m_done + arrivedOf(file.name);
    const Message stored = arrived == 0
        ? Message()
        : Message("download.stored", { { "bytes", ByteCount { arrived } } });
    throw Error(followedBy(failure, stored));
}

// False: stopped.
bool SetDownload::download(const PublishedFile& file)
{
    m_tried = {};
    bool whole = isPublished(wholeOf(file.name), file); // of a call before this
    for (auto mirror = m_mirrors.begin(); !whole && mirror != m_mirrors.end(); ++mirror) {
        whole = downloadFrom(*mirror, file);
        if (!whole && m_stop.stop_requested())
            return false;
    }
    if (!whole)
        failEverywhere(file);
    m_done += file.bytes;
    return true;
}

// It had the published SHA-256 a moment ago. Where it still cannot be unpacked, this copy is
// damaged, and the next call starts from the beginning. False: stopped.
bool SetDownload::unpack()
{
    const std::string& name = m_set.files.front().name;
    const auto unpacked = [&](std::int64_t bytes) { report(Phase::Unpacking, name, bytes); };
    try {
        return unpackArchive(m_set, wholeOf(name), m_folder.ready(), unpacked, m_stop);
    } catch (const DiskError&) { // no fault of the archive, which need not be downloaded again
        throw;
    } catch (const Error&) {
        m_folder.removeAll();
        throw;
    }
}

DownloadOutcome SetDownload::run()
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

} // namespace

DownloadOutcome downloadSet(const PublishedSet& set, const std::vector<std::string>& mirrors,
    const fs::path& folder, const DownloadWatcher& watcher, const std::stop_token& stop,
    const DownloadPatience& patience)
{
    // A folder that may only be read needs no lock where everything is there.
    if (missingIn(folder / set.name, set).empty())
        return DownloadOutcome::AlreadyThere;
    return SetDownload(set, mirrors, folder, watcher, stop, patience).run();
}

} // namespace accrue
