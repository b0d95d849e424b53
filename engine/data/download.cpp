// SPDX-License-Identifier: Apache-2.0
#include "engine/data/download.h"

#include "engine/data/download_archive.h"
#include "engine/data/download_file.h"
#include "engine/data/download_folder.h"
#include "engine/data/sha256.h"
#include "engine/experiment/format.h"
#include "engine/experiment/mirrors.h"

#include <algorithm>
#include <system_error>

namespace accrue {
namespace {

namespace fs = std::filesystem;

constexpr int kMostIdleTries = 2; // of one mirror, in a row, that bring nothing or stall
constexpr int kMostTries = 100; // of one mirror

std::int64_t sizeOf(const fs::path& path)
{
    std::error_code error;
    const auto size = fs::file_size(path, error);
    return error ? 0 : static_cast<std::int64_t>(size);
}

std::int64_t sumOf(const std::vector<PublishedFile>& files)
{
    std::int64_t bytes = 0;
    for (const PublishedFile& file : files)
        bytes += file.bytes;
    return bytes;
}

bool isPublished(const fs::path& path, const PublishedFile& file)
{
    return sizeOf(path) == file.bytes && (file.sha256.empty() || sha256OfFile(path) == file.sha256);
}

// Those of set.kept() that are not in `target`.
std::vector<PublishedFile> missingIn(const fs::path& target, const DownloadSet& set)
{
    std::error_code ignored;
    if (const auto status = fs::status(target, ignored);
        fs::exists(status) && !fs::is_directory(status))
        throw DownloadRefused(target.string()
            + " is no folder: move it away, or choose another folder to fetch into.");
    std::vector<PublishedFile> missing;
    for (const PublishedFile& file : set.kept()) {
        if (!fs::exists(fs::symlink_status(target / file.name, ignored)))
            missing.push_back(file);
        else if (!isPublished(target / file.name, file))
            throw DownloadRefused((target / file.name).string()
                + " is there and is not the published file: move it away, or choose another "
                  "folder to fetch into.");
    }
    return missing;
}

class Fetching {
public:
    Fetching(const DownloadSet& set, const std::vector<std::string>& mirrors,
        const fs::path& folder, const FetchWatcher& watcher, const std::stop_token& stop,
        const DownloadPatience& patience)
        : m_set(set)
        , m_mirrors(mirrors)
        , m_watcher(watcher)
        , m_stop(stop)
        , m_folder(folder, set.name)
        , m_client(patience)
    {
    }

    FetchEnd run(const fs::path& target);

private:
    bool isPacked() const { return !m_set.members.empty(); }
    fs::path partOf(const std::string& file) const { return m_folder.growing() / (file + ".part"); }
    fs::path wholeOf(const std::string& file) const;
    std::int64_t arrivedOf(const std::string& file) const;
    void requireRoom() const;
    bool fetch(const PublishedFile& file);
    bool fetchFrom(const std::string& mirror, const PublishedFile& file);
    TransferEnd transfer(const TransferRequest& request, const std::string& file);
    bool takeIfPublished(const PublishedFile& file);
    bool unpack();
    void tell(FetchProgress::Phase phase, const std::string& file, std::int64_t bytes) const;
    void sayNotFrom(const std::string& address, const std::string& reason);
    [[noreturn]] void failEverywhere(const PublishedFile& file) const;

    const DownloadSet& m_set;
    const std::vector<std::string>& m_mirrors;
    const FetchWatcher& m_watcher;
    const std::stop_token& m_stop;
    const DownloadFolder m_folder;
    DownloadClient m_client;
    std::vector<PublishedFile> m_wanted; // to be fetched
    std::int64_t m_done = 0; // bytes of those that are whole
    bool m_stopped = false;
    std::string m_tried; // of the file in hand: why no mirror gave it
};

void Fetching::tell(FetchProgress::Phase phase, const std::string& file, std::int64_t bytes) const
{
    const bool unpacking = phase == FetchProgress::Phase::Unpacking;
    m_watcher.progress({ phase, file, bytes, sumOf(unpacking ? m_set.members : m_wanted) });
}

// An archive is not installed itself.
fs::path Fetching::wholeOf(const std::string& file) const
{
    return (isPacked() ? m_folder.growing() : m_folder.ready()) / file;
}

std::int64_t Fetching::arrivedOf(const std::string& file) const
{
    return std::max(sizeOf(wholeOf(file)), sizeOf(partOf(file)));
}

void Fetching::requireRoom() const
{
    std::int64_t bytes = sumOf(m_set.members);
    for (const PublishedFile& file : m_wanted)
        bytes += std::max<std::int64_t>(file.bytes - arrivedOf(file.name), 0);
    m_folder.requireRoom(bytes);
}

// Puts the whole file where it is installed or unpacked from; false, and nothing of it is left,
// where it is another one.
bool Fetching::takeIfPublished(const PublishedFile& file)
{
    tell(FetchProgress::Phase::Checking, file.name, m_done + file.bytes);
    const fs::path part = partOf(file.name);
    const bool published = isPublished(part, file);
    if (published)
        fs::rename(part, wholeOf(file.name));
    else
        fs::remove(part);
    return published;
}

void Fetching::sayNotFrom(const std::string& address, const std::string& reason)
{
    const std::string url = withoutUser(address);
    m_tried += (m_tried.empty() ? "" : "; ") + url + ": " + reason;
    m_watcher.said(url + ": " + reason + ".");
}

// Asks one mirror again as long as each try brings more than there ever was.
TransferEnd Fetching::transfer(const TransferRequest& request, const std::string& file)
{
    TransferEnd end;
    std::int64_t most = arrivedOf(file);
    int idle = 0;
    for (int tries = 0; tries < kMostTries && idle < kMostIdleTries; ++tries) {
        end = m_client.fetch(
            request,
            [&](std::int64_t bytes) { tell(FetchProgress::Phase::Fetching, file, m_done + bytes); },
            m_stop);
        const bool stalled = end.kind == TransferEnd::Kind::Stalled;
        if (end.kind != TransferEnd::Kind::Broken && !stalled)
            return end;
        const std::int64_t now = arrivedOf(file);
        idle = now > most && !stalled ? 0 : idle + 1;
        most = std::max(most, now);
        if (idle < kMostIdleTries)
            m_watcher.said(withoutUser(request.url) + ": " + end.reason + "; asking again.");
    }
    return end;
}

bool Fetching::fetchFrom(const std::string& mirror, const PublishedFile& file)
{
    const std::string url = mirror + (mirror.back() == '/' ? "" : "/") + file.name;
    // What was begun elsewhere, or was another file then, is no fault of this mirror.
    const bool pieced = arrivedOf(file.name) > 0;
    for (int tries = pieced ? 2 : 1; tries > 0; --tries) {
        const TransferEnd end = transfer({ url, file.bytes, partOf(file.name) }, file.name);
        m_stopped = end.kind == TransferEnd::Kind::Stopped;
        if (end.kind == TransferEnd::Kind::Complete && takeIfPublished(file))
            return true;
        if (end.kind != TransferEnd::Kind::Complete) {
            if (!m_stopped)
                sayNotFrom(url, end.reason);
            return false;
        }
    }
    sayNotFrom(url, "its SHA-256 is not that of the published file");
    return false;
}

void Fetching::failEverywhere(const PublishedFile& file) const
{
    const std::int64_t kept = m_done + arrivedOf(file.name);
    throw DataError(file.name + " of " + m_set.name + " could not be fetched from "
        + (m_mirrors.size() == 1 ? "its mirror (" : "any mirror (") + m_tried
        + "). Look at the connection and try again later, or name another mirror in "
        + userMirrorsFile().string()
        + (kept > 0 ? "; the " + formatBytes(kept) + " that have arrived are kept." : "."));
}

// False: stopped.
bool Fetching::fetch(const PublishedFile& file)
{
    m_tried.clear();
    bool whole = isPublished(wholeOf(file.name), file); // of a call before this
    for (auto mirror = m_mirrors.begin(); !whole && mirror != m_mirrors.end(); ++mirror) {
        whole = fetchFrom(*mirror, file);
        if (m_stopped)
            return false;
    }
    if (!whole)
        failEverywhere(file);
    m_done += file.bytes;
    return true;
}

bool Fetching::unpack()
{
    const fs::path archive = wholeOf(m_set.fetched.front().name);
    try {
        return unpackArchive(
            m_set, archive, m_folder.ready(),
            [&](std::int64_t bytes) {
                tell(FetchProgress::Phase::Unpacking, archive.filename(), bytes);
            },
            m_stop);
    } catch (const DiskError&) { // no fault of the archive, which need not be fetched again
        throw;
    } catch (const DataError&) {
        m_folder.removeAll();
        throw;
    }
}

FetchEnd Fetching::run(const fs::path& target)
{
    const std::vector<PublishedFile> missing = missingIn(target, m_set);
    m_wanted = isPacked() ? m_set.fetched : missing;
    requireRoom();
    for (const PublishedFile& file : m_wanted)
        if (!fetch(file))
            return FetchEnd::Stopped;
    if (isPacked() && !unpack())
        return FetchEnd::Stopped;
    std::vector<std::string> names;
    names.reserve(missing.size());
    for (const PublishedFile& file : missing)
        names.push_back(file.name);
    m_folder.install(names);
    return FetchEnd::Fetched;
}

} // namespace

FetchEnd fetchPublishedSet(const DownloadSet& set, const std::vector<std::string>& mirrors,
    const fs::path& folder, const FetchWatcher& watcher, const std::stop_token& stop,
    const DownloadPatience& patience)
{
    const fs::path target = folder / set.name;
    if (missingIn(target, set).empty())
        return FetchEnd::AlreadyThere;
    return Fetching(set, mirrors, folder, watcher, stop, patience).run(target);
}

} // namespace accrue
