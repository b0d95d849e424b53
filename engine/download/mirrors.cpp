// SPDX-License-Identifier: Apache-2.0
#include "engine/download/mirrors.h"

#include "engine/base/file_messages.h"
#include "engine/base/files.h"
#include "engine/base/places.h"
#include "engine/base/sentences.h"
#include "engine/base/shown_text.h"
#include "engine/base/toml_reader.h"
#include "engine/download/download_folder.h"

#include <algorithm>
#include <regex>

namespace accrue {
namespace {

// Strict, because an address of the user's is shown in messages: what cannot be split into its
// parts could hide a password. A user, a host, a port and a folder, of nothing that an address
// cannot hold: it is ASCII.
bool isAddress(const std::string& text)
{
    constexpr std::size_t kLongest = 2000; // std::regex needs stack for each character
    static const std::regex form(
        R"(https?://([^/]*@)?(\[[^\]/@]+\]|[^:/@\[][^:/@]*)(:(\d{0,5}))?(/.*)?)");
    const bool plain = std::all_of(text.begin(), text.end(),
        [](char c) { return c > ' ' && c < 0x7f && c != '?' && c != '#'; });
    std::smatch parts;
    if (!plain || text.size() > kLongest || !std::regex_match(text, parts, form))
        return false;
    const int port = parts.length(4) == 0 ? 1 : std::stoi(parts[4]);
    return port >= 1 && port <= 65'535;
}

// `place` is empty where the addresses were given on the command line.
std::vector<std::string> checked(const std::vector<std::string>& urls, const Message& place)
{
    for (const std::string& url : urls)
        if (!isAddress(url))
            throw DownloadRefused(followedBy(place,
                Message(
                    "download.no_address", { { "address", shortened(withoutUser(url, false)) } })));
    return urls;
}

// One line of the user's list.
std::vector<std::string> urlsOf(const TomlEntry& entry, const Message& place)
{
    std::vector<std::string> urls;
    if (!read(entry.value, urls) || urls.empty())
        throw DownloadRefused(followedBy(place,
            Message("download.mirrors_no_list",
                { { "key", shortened(entry.key) }, { "value", shownOf(entry.value) } })));
    if (findPublishedSet(entry.key) == nullptr)
        throw DownloadRefused(followedBy(place, unknownDownload(entry.key)));
    return urls;
}

} // namespace

std::filesystem::path userMirrorsFile()
{
    return userConfigDirectory() / "mirrors.toml";
}

std::string withoutUser(std::string url, bool isAddress)
{
    const std::size_t scheme = url.find("://");
    const std::size_t begin = scheme == url.npos ? 0 : scheme + 3;
    const std::size_t at = url.rfind('@', isAddress ? url.find('/', begin) : url.npos);
    return at == url.npos || at < begin ? url : url.erase(begin, at + 1 - begin);
}

std::vector<std::string> mirrorsOf(const PublishedSet& set, const std::vector<std::string>& given)
{
    if (!given.empty())
        return checked(given, {});
    const TextFile file = readTextFile(userMirrorsFile());
    if (file.missing)
        return set.mirrors;
    if (!file.problem.empty())
        throw DownloadRefused(file.problem);
    const TomlText toml = readToml(file.text);
    if (!toml.problem.empty())
        throw DownloadRefused(Message("download.mirrors_unreadable",
            { { "file", userMirrorsFile() }, { "problem", messageOf(toml.problem) } }));
    std::vector<std::string> mirrors = set.mirrors;
    for (const TomlEntry& entry : toml.entries) {
        const Message place(
            "download.mirrors_line", { { "file", userMirrorsFile() }, { "line", entry.line } });
        const std::vector<std::string> urls = urlsOf(entry, place);
        if (entry.key == set.name)
            mirrors = checked(urls, place);
    }
    return mirrors;
}

Message unknownDownload(const std::string& name)
{
    return Message("download.unknown_set",
        { { "name", name }, { "names", commaList(namesOfPublishedSets()) } });
}

} // namespace accrue
