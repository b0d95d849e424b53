// SPDX-License-Identifier: Apache-2.0
#include "engine/data/download_sets.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "engine/experiment/mirrors.h"
#include "engine/experiment/shown_text.h"

namespace accrue {
namespace {

// Sizes and digests as public loaders of these data sets carry them; those of the two archives,
// too. CIFAR's own page gives MD5 only, of the same archives.
DownloadSet mnist()
{
    return { "mnist",
        { { "train-images-idx3-ubyte.gz", 9'912'422,
              "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609" },
            { "train-labels-idx1-ubyte.gz", 28'881,
                "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c" },
            { "t10k-images-idx3-ubyte.gz", 1'648'877,
                "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6" },
            { "t10k-labels-idx1-ubyte.gz", 4'542,
                "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6" } },
        {}, {}, {},
        { "https://ossci-datasets.s3.amazonaws.com/mnist",
            "https://storage.googleapis.com/cvdf-datasets/mnist" } };
}

DownloadSet fashionMnist()
{
    return { "fashion-mnist",
        { { "train-images-idx3-ubyte.gz", 26'421'880,
              "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84" },
            { "train-labels-idx1-ubyte.gz", 29'515,
                "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845" },
            { "t10k-images-idx3-ubyte.gz", 4'422'102,
                "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073" },
            { "t10k-labels-idx1-ubyte.gz", 5'148,
                "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5" } },
        {}, {}, {},
        { "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com",
            "https://github.com/zalandoresearch/fashion-mnist/raw/master/data/fashion" } };
}

DownloadSet cifar10()
{
    constexpr std::int64_t kBytes = 10'000 * (1 + 3072);
    return { "cifar10",
        { { "cifar-10-binary.tar.gz", 170'052'171,
            "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd" } },
        { { "data_batch_1.bin", kBytes, {} }, { "data_batch_2.bin", kBytes, {} },
            { "data_batch_3.bin", kBytes, {} }, { "data_batch_4.bin", kBytes, {} },
            { "data_batch_5.bin", kBytes, {} }, { "test_batch.bin", kBytes, {} } },
        "cifar-10-batches-bin", { "batches.meta.txt", "readme.html" },
        { "https://www.cs.toronto.edu/~kriz" } };
}

DownloadSet cifar100()
{
    constexpr std::int64_t kRow = 2 + 3072;
    return { "cifar100",
        { { "cifar-100-binary.tar.gz", 168'513'733,
            "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec" } },
        { { "train.bin", 50'000 * kRow, {} }, { "test.bin", 10'000 * kRow, {} } },
        "cifar-100-binary", { "coarse_label_names.txt", "fine_label_names.txt" },
        { "https://www.cs.toronto.edu/~kriz" } };
}

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
    if (text.empty())
        return true;
    const std::string_view digits = text.substr(1);
    int port = 1;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    const bool isNumber =
        digits.empty() || (parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size());
    return text.front() == ':' && isNumber && port >= 1 && port <= 65'535;
}

// "host", "[::1]", each with a port or without.
bool isHost(std::string_view text)
{
    const std::size_t end =
        text.starts_with('[') ? text.find(']') + 1 : std::min(text.find(':'), text.size());
    return end > 0 && isPort(text.substr(end));
}

// A host behind http:// or https://, and nothing that an address cannot hold: it is ASCII.
bool isAddress(const std::string& text)
{
    const bool plain = std::all_of(text.begin(), text.end(),
        [](char c) { return c > ' ' && c < 0x7f && c != '?' && c != '#'; });
    const bool known = text.starts_with("http://") || text.starts_with("https://");
    const std::string_view authority = authorityIn(text);
    return plain && known && isHost(authority.substr(hostIn(authority)));
}

// Of what is no address nobody knows where a password ends: all up to the last @ may be of it.
std::string withoutSecrets(const std::string& text)
{
    const std::size_t at = text.rfind('@');
    const std::size_t begin = authorityOf(text);
    return at == text.npos || at < begin ? text : std::string(text).erase(begin, at + 1 - begin);
}

std::vector<std::string> checked(const std::vector<std::string>& urls, const std::string& where)
{
    for (const std::string& url : urls)
        if (!isAddress(url))
            throw DownloadRefused(where + "\"" + shortened(withoutSecrets(url))
                + "\" is no address to fetch from; allowed: http:// or https://, a host, a port "
                  "from 1 to 65535 and a folder, without ? and #.");
    return urls;
}

std::string knownSets()
{
    std::string names;
    for (const DownloadSet& set : publishedSets())
        names += (names.empty() ? "" : ", ") + set.name;
    return names;
}

const DownloadSet* findSet(std::string_view name)
{
    const auto& sets = publishedSets();
    const auto found = std::find_if(
        sets.begin(), sets.end(), [&](const DownloadSet& set) { return set.name == name; });
    return found == sets.end() ? nullptr : &*found;
}

} // namespace

std::string withoutUser(const std::string& url)
{
    return std::string(url).erase(authorityOf(url), hostIn(authorityIn(url)));
}

const std::vector<DownloadSet>& publishedSets()
{
    static const std::vector<DownloadSet> sets { mnist(), fashionMnist(), cifar10(), cifar100() };
    return sets;
}

const DownloadSet& publishedSet(std::string_view name)
{
    const DownloadSet* found = findSet(name);
    if (found == nullptr)
        throw DownloadRefused(
            std::string(name) + " cannot be fetched; there are " + knownSets() + ".");
    return *found;
}

std::vector<std::string> mirrorsOf(const DownloadSet& set, const std::vector<std::string>& given)
{
    if (!given.empty())
        return checked(given, "");
    std::string problem;
    std::vector<std::string> mirrors = set.mirrors;
    for (const MirrorList& list : readUserMirrors(problem)) {
        const std::string where =
            userMirrorsFile().string() + ", line " + std::to_string(list.line) + ": ";
        if (list.dataSet == set.name)
            mirrors = checked(list.urls, where);
        else if (findSet(list.dataSet) == nullptr)
            throw DownloadRefused(where + list.dataSet + " is no data set that can be fetched; "
                + "there are " + knownSets() + ".");
    }
    if (!problem.empty())
        throw DownloadRefused(problem);
    return mirrors;
}

} // namespace accrue
