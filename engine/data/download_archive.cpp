// SPDX-License-Identifier: Apache-2.0
#include "engine/data/download_archive.h"

#include "engine/data/download_file.h"
#include "engine/data/input_file.h"
#include "engine/experiment/format.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace accrue {
namespace {

namespace fs = std::filesystem;

// POSIX.1-1988 (ustar): a header of 512 bytes, the content filled up to a multiple of 512, at the
// end blocks of zeros.
constexpr std::size_t kBlock = 512;
constexpr std::int64_t kLargestEnd = 1024 * 1024; // GNU tar fills up to 10 KiB
using Block = std::array<char, kBlock>;

struct Member {
    std::string name;
    std::int64_t bytes = 0;
    char type = 0;

    bool isFile() const { return type == '0' || type == '\0'; }
    bool isFolder() const { return type == '5'; }
};

std::string_view field(const Block& block, std::size_t begin, std::size_t size)
{
    const std::string_view whole(block.data() + begin, size);
    return whole.substr(0, whole.find('\0'));
}

std::optional<std::int64_t> octal(std::string_view digits)
{
    digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
    digits = digits.substr(0, digits.find(' '));
    std::int64_t value = 0;
    for (const char digit : digits) {
        if (digit < '0' || digit > '7')
            return std::nullopt;
        value = value * 8 + (digit - '0'); // at most 12 digits
    }
    return digits.empty() ? std::nullopt : std::optional(value);
}

bool hasRightSum(const Block& block)
{
    Block summed = block;
    std::fill_n(summed.begin() + 148, 8, ' '); // the sum's own place
    const auto sum = std::accumulate(summed.begin(), summed.end(), std::int64_t { 0 },
        [](std::int64_t so, char byte) { return so + static_cast<unsigned char>(byte); });
    return octal(field(block, 148, 8)) == sum;
}

std::string shownName(std::string_view name)
{
    std::string shown;
    for (const char c : name.substr(0, 100))
        shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    return "\"" + shown + "\"";
}

const char* kindOf(char type)
{
    switch (type) {
    case '1':
    case '2':
        return "a link";
    case '3':
    case '4':
    case '6':
        return "a device or a pipe";
    case '5':
        return "a folder";
    default:
        return "no plain file";
    }
}

class Unpacking {
public:
    Unpacking(const DownloadSet& set, const fs::path& archive, const fs::path& into,
        const std::function<void(std::int64_t)>& unpacked, const std::stop_token& stop)
        : m_set(set)
        , m_input(archive)
        , m_into(into)
        , m_unpacked(unpacked)
        , m_stop(stop)
    {
    }

    bool run()
    {
        try {
            if (readAll())
                return true;
        } catch (...) {
            removeWritten();
            throw;
        }
        removeWritten();
        return false;
    }

private:
    bool readAll();
    std::optional<Member> nextMember();
    const PublishedFile* wanted(const Member& member) const;
    bool keep(const Member& member, const PublishedFile& file);
    void skip(const Member& member);
    void requireSpare(const Member& member) const;
    void requireEnd();
    void requireAll() const;
    void readBlock(Block& block);
    std::string inFolder(std::string_view name) const;
    void removeWritten() const;
    [[noreturn]] void refuse(const std::string& what) const;

    const DownloadSet& m_set;
    InflatedFile m_input;
    const fs::path& m_into;
    const std::function<void(std::int64_t)>& m_unpacked;
    const std::stop_token& m_stop;
    std::set<std::string> m_seen;
    std::vector<fs::path> m_written;
    std::int64_t m_bytes = 0; // written
};

void Unpacking::refuse(const std::string& what) const
{
    throw DataError(m_input.path().string() + " is not the published archive: " + what
        + ". It was not unpacked: fetch it again, or from another mirror.");
}

void Unpacking::readBlock(Block& block)
{
    if (m_input.read(block.data(), kBlock) != kBlock)
        refuse("it ends too early");
}

std::optional<Member> Unpacking::nextMember()
{
    Block block {};
    readBlock(block);
    if (std::all_of(block.begin(), block.end(), [](char byte) { return byte == '\0'; }))
        return std::nullopt;
    const auto bytes = octal(field(block, 124, 12));
    if (!hasRightSum(block) || !bytes)
        refuse("it is no tar archive, or a damaged one");
    Member member { std::string(field(block, 0, 100)), *bytes, block[156] };
    // Only POSIX's own form has a second part of the name; in GNU's, times stand in its place.
    const std::string_view prefix = field(block, 345, 155);
    if (std::string_view(block.data() + 257, 6) == std::string_view("ustar\0", 6)
        && !prefix.empty())
        member.name = std::string(prefix) + "/" + member.name;
    return member;
}

std::string Unpacking::inFolder(std::string_view name) const
{
    return m_set.archiveFolder + "/" + std::string(name);
}

const PublishedFile* Unpacking::wanted(const Member& member) const
{
    const auto file = std::find_if(m_set.members.begin(), m_set.members.end(),
        [&](const PublishedFile& each) { return inFolder(each.name) == member.name; });
    return file == m_set.members.end() ? nullptr : &*file;
}

void Unpacking::requireSpare(const Member& member) const
{
    const bool known = std::any_of(m_set.spare.begin(), m_set.spare.end(),
        [&](const std::string& each) { return inFolder(each) == member.name; });
    if (!known)
        refuse("it holds " + shownName(member.name) + ", which does not belong to it");
    if (member.bytes > kLargestSpareMember)
        refuse("its " + shownName(member.name) + " has " + formatCount(member.bytes)
            + " bytes, far more than the published one");
}

void Unpacking::skip(const Member& member)
{
    Block block {};
    for (std::int64_t done = 0; done < member.bytes; done += kBlock)
        readBlock(block);
}

// False: stopped.
bool Unpacking::keep(const Member& member, const PublishedFile& file)
{
    if (member.bytes != file.bytes)
        refuse("its " + file.name + " has " + formatCount(member.bytes)
            + " bytes, the published one has " + formatCount(file.bytes));
    m_written.push_back(m_into / file.name);
    DownloadFile output(m_written.back());
    output.clear();
    std::vector<char> chunk(std::size_t { 1 } << 20);
    for (std::int64_t left = file.bytes; left > 0;) {
        if (m_stop.stop_requested())
            return false;
        const auto wantedBytes = std::min(left, static_cast<std::int64_t>(chunk.size()));
        const std::size_t got = m_input.read(chunk.data(), static_cast<std::size_t>(wantedBytes));
        if (got != static_cast<std::size_t>(wantedBytes))
            refuse("it ends within " + file.name);
        output.append(chunk.data(), got);
        left -= wantedBytes;
        m_bytes += wantedBytes;
        m_unpacked(m_bytes);
    }
    output.synchronise();
    const std::size_t filling = (kBlock - static_cast<std::size_t>(file.bytes) % kBlock) % kBlock;
    if (m_input.read(chunk.data(), filling) != filling)
        refuse("it ends too early");
    return true;
}

// Reading on to the end also lets zlib check the checksum of all of it.
void Unpacking::requireEnd()
{
    Block block {};
    std::int64_t bytes = 0;
    while (const std::size_t got = m_input.read(block.data(), kBlock)) {
        bytes += static_cast<std::int64_t>(got);
        if (bytes > kLargestEnd
            || std::any_of(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(got),
                [](char byte) { return byte != '\0'; }))
            refuse("something stands behind its end");
    }
    if (m_input.endsEarly())
        refuse("it ends too early");
}

void Unpacking::requireAll() const
{
    for (const PublishedFile& file : m_set.members)
        if (m_seen.count(inFolder(file.name)) == 0)
            refuse("it lacks " + file.name);
}

bool Unpacking::readAll()
{
    while (const auto member = nextMember()) {
        const bool itsFolder = member->isFolder() && member->bytes == 0
            && (member->name == m_set.archiveFolder || member->name == inFolder(""));
        if (!member->isFile() && !itsFolder)
            refuse("its " + shownName(member->name) + " is " + kindOf(member->type));
        if (!m_seen.insert(member->name).second)
            refuse("it holds " + shownName(member->name) + " twice");
        if (itsFolder)
            continue;
        if (const PublishedFile* file = wanted(*member)) {
            if (!keep(*member, *file))
                return false;
        } else {
            requireSpare(*member);
            skip(*member);
        }
    }
    requireEnd();
    requireAll();
    return true;
}

void Unpacking::removeWritten() const
{
    std::error_code ignored;
    for (const fs::path& file : m_written)
        fs::remove(file, ignored);
}

} // namespace

bool unpackArchive(const DownloadSet& set, const fs::path& archive, const fs::path& into,
    const std::function<void(std::int64_t)>& unpacked, const std::stop_token& stop)
{
    return Unpacking(set, archive, into, unpacked, stop).run();
}

} // namespace accrue
