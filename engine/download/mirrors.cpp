// SPDX-License-Identifier: Apache-2.0
#include "engine/download/mirrors.h"

#include "engine/base/file_messages.h"
#include "engine/base/files.h"
#include "engine/base/places.h"
#include "engine/base/sentences.h"
#include "engine/base/shown_text.h"
#include "engine/base/toml_reader.h"
#include "engine/download/download_errors.h"

#include <algorithm>
#include <charconv>

namespace accrue {
namespace {

// Behind the scheme, where there is one.
std::size_t authorityOf(std::string_view url)
{
    constexpr std::string_view kBehindScheme = "://";
    const std::size_t end = url.find(kBehindScheme);
    return end == url.npos ? 0 : end + kBehindScheme.size();
}

// "host", "user:password@host:8080": up to the path.
std::string_view authorityIn(std::string_view url)
{
    const std::size_t begin = authorityOf(url);
    return url.substr(begin, std::min(url.find('/', begin), url.size()) - begin);
}

// Where the host begins, behind user and password.
std::size_t hostIn(std::string_view authority)
{
    const std::size_t at = authority.rfind('@');
    return at == authority.npos ? 0 : at + 1;
}

// "", ":", ":1" … ":65535"
bool isPort(std::string_view text)
{
    if (text.size() < 2)
        return text.empty() || text == ":";
    int port = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + 1, end, port);
    return text.front() == ':' && parsed.ec == std::errc() && parsed.ptr == end && port >= 1
        && port <= 65'535;
}

// "host", "[::1]", each with a port or without.
bool isHost(std::string_view text)
{
    const std::size_t end =
        text.starts_with('[') ? text.find(']') + 1 : std::min(text.find(':'), text.size());
    return end > 0 && isPort(text.substr(end));
}

// Strict, because an address of the user's is shown in messages and stored beside what was
// downloaded: what cannot be split into its parts could hide a password. A host behind http:// or
// https://, and nothing that an address cannot hold: it is ASCII.
bool isAddress(const std::string& text)
{
    const bool plain = std::all_of(text.begin(), text.end(),
        [](char c) { return c > ' ' && c < 0x7f && c != '?' && c != '#'; });
    const bool known = text.starts_with("http://") || text.starts_with("https://");
    const std::string_view authority = authorityIn(text);
    return plain && known && isHost(authority.substr(hostIn(authority)));
}

// Of text that is no address, all up to the last @ may belong to a password.
std::string withoutSecrets(const std::string& text)
{
    const std::size_t at = text.rfind('@');
    const std::size_t begin = authorityOf(text);
    return at == text.npos || at < begin ? text : std::string(text).erase(begin, at + 1 - begin);
}

// `place` is empty where the addresses were given on the command line.
std::vector<std::string> checked(const std::vector<std::string>& urls, const Message& place)
{
    for (const std::string& url : urls)
        if (!isAddress(url))
            throw DownloadRefused(followedBy(place,
                Message("download.no_address", { { "address", shortened(withoutSecrets(url)) } })));
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

TomlText userMirrors()
{
    const TextFile text = readTextFile(userMirrorsFile());
    if (text.missing)
        return {};
    if (!text.problem.empty())
        throw DownloadRefused(text.problem);
    TomlText toml = readToml(text.text);
    if (!toml.problem.empty())
        throw DownloadRefused(Message("download.mirrors_unreadable",
            { { "file", userMirrorsFile() }, { "problem", messageOf(toml.problem) } }));
    return toml;
}

} // namespace

std::filesystem::path userMirrorsFile()
{
    return userConfigDirectory() / "mirrors.toml";
}

std::string withoutUser(const std::string& url)
{
    return std::string(url).erase(authorityOf(url), hostIn(authorityIn(url)));
}

std::vector<std::string> mirrorsOf(const PublishedSet& set, const std::vector<std::string>& given)
{
    if (!given.empty())
        return checked(given, {});
    std::vector<std::string> mirrors = set.mirrors;
    for (const TomlEntry& entry : userMirrors().entries) {
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
