// SPDX-License-Identifier: Apache-2.0
#include "engine/download/download_archive.h"

#include "engine/base/input_file.h"
#include "engine/base/shown_text.h"
#include "engine/download/download_errors.h"

#include <algorithm>
#include <array>
#include <charconv>
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
};

std::string_view field(const Block& block, std::size_t begin, std::size_t size)
{
    const std::string_view whole(block.data() + begin, size);
    return whole.substr(0, whole.find('\0'));
}

// Octal digits between blanks.
std::optional<std::int64_t> number(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    std::uint64_t value = 0; // of at most 12 digits
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value, 8);
    if (parsed.ec != std::errc() || (parsed.ptr != end && *parsed.ptr != ' '))
        return std::nullopt;
    return static_cast<std::int64_t>(value);
}

// The sum tells a header from content that is read as one after a damaged size.
bool hasRightSum(Block block)
{
    const auto sum = number(field(block, 148, 8));
    std::fill_n(block.begin() + 148, 8, ' '); // as the sum's own place counts
    return sum
        == std::accumulate(block.begin(), block.end(), std::int64_t { 0 },
            [](std::int64_t so, char byte) { return so + static_cast<unsigned char>(byte); });
}

bool isZeros(const Block& block, std::size_t size = kBlock)
{
    return std::all_of(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(size),
        [](char byte) { return byte == '\0'; });
}

// What a member is that is no plain file. None of these is ever written: a link in an archive could
// lead anywhere.
Message kindOf(const std::string& member, char type)
{
    if (type == '1' || type == '2')
        return Message("download.archive_link", { { "member", member } });
    if (type == '3' || type == '4' || type == '6')
        return Message("download.archive_device", { { "member", member } });
    if (type == '5')
        return Message("download.archive_folder", { { "member", member } });
    return Message("download.archive_no_file", { { "member", member } });
}

// Reads an archive from front to back, once, and holds every member against the list of published
// ones before a byte of it is written. libarchive would unpack what the archive names; here the set
// names what is unpacked.
class Unpacking {
public:
    Unpacking(const PublishedSet& set, const fs::path& archive, const fs::path& into,
        const std::function<void(std::int64_t)>& unpacked, const std::stop_token& stop)
        : m_set(set)
        , m_input(archive)
        , m_into(into)
        , m_unpacked(unpacked)
        , m_stop(stop)
    {
    }

    bool readAll(); // false: stopped

private:
    std::optional<Member> nextMember();
    bool isItsFolder(const Member& member) const;
    bool unpack(const Member& member); // false: stopped
    void skipSpare(const Member& member);
    bool write(const PublishedFile& file);
    void requireEnd();
    void read(char* bytes, std::size_t size, const std::string& where = {});
    [[noreturn]] void refuse(const Message& reason) const;

    const PublishedSet& m_set;
    InflatedFile m_input;
    const fs::path& m_into;
    const std::function<void(std::int64_t)>& m_unpacked;
    const std::stop_token& m_stop;
    std::set<std::string> m_seen; // names of members
    std::int64_t m_bytes = 0; // written
};

void Unpacking::refuse(const Message& reason) const
{
    throw Error(
        Message("download.archive_refused", { { "file", m_input.path() }, { "reason", reason } }));
}

void Unpacking::read(char* bytes, std::size_t size, const std::string& where)
{
    if (m_input.read(bytes, size) == size)
        return;
    refuse(where.empty() ? Message("download.archive_cut")
                         : Message("download.archive_cut_in", { { "member", where } }));
}

// Nullopt: the end.
std::optional<Member> Unpacking::nextMember()
{
    Block block {};
    read(block.data(), kBlock);
    if (isZeros(block))
        return std::nullopt;
    const auto bytes = number(field(block, 124, 12));
    if (!hasRightSum(block) || !bytes)
        refuse(Message("download.archive_no_tar"));
    Member member { std::string(field(block, 0, 100)), *bytes, block[156] };
    // Only POSIX's own form has a second part of the name; GNU's has times in its place.
    const std::string_view prefix = field(block, 345, 155);
    const bool isPosix = std::string_view(block.data() + 257, 6) == std::string_view("ustar\0", 6);
    if (isPosix && !prefix.empty())
        member.name = std::string(prefix) + "/" + member.name;
    return member;
}

bool Unpacking::isItsFolder(const Member& member) const
{
    return member.type == '5' && member.bytes == 0
        && (member.name == m_set.archiveFolder || member.name == m_set.archiveFolder + "/");
}

bool Unpacking::unpack(const Member& member)
{
    const std::string shown = shortened(member.name);
    if (member.type != '0' && member.type != '\0' && !isItsFolder(member))
        refuse(kindOf(shown, member.type));
    if (!m_seen.insert(member.name).second)
        refuse(Message("download.archive_twice", { { "member", shown } }));
    if (isItsFolder(member))
        return true;
    for (const PublishedFile& file : m_set.members) {
        if (m_set.archiveFolder + "/" + file.name != member.name)
            continue;
        if (member.bytes != file.bytes)
            refuse(Message("download.archive_other_size",
                { { "member", file.name }, { "found", member.bytes },
                    { "expected", file.bytes } }));
        return write(file);
    }
    skipSpare(member);
    return true;
}

// A member that nobody reads. It must be one of those that were published.
void Unpacking::skipSpare(const Member& member)
{
    const std::string shown = shortened(member.name);
    const bool isSpare = std::any_of(m_set.spare.begin(), m_set.spare.end(),
        [&](const std::string& name) { return m_set.archiveFolder + "/" + name == member.name; });
    if (!isSpare)
        refuse(Message("download.archive_foreign", { { "member", shown } }));
    if (member.bytes > kLargestSpareMember)
        refuse(Message(
            "download.archive_spare_size", { { "member", shown }, { "found", member.bytes } }));
    Block block {};
    for (std::int64_t done = 0; done < member.bytes; done += kBlock)
        read(block.data(), kBlock);
}

bool Unpacking::write(const PublishedFile& file)
{
    OutputFile output = growingFile(m_into / file.name);
    output.clear();
    std::vector<char> chunk(std::size_t { 1 } << 20);
    for (std::int64_t left = file.bytes; left > 0;) {
        if (m_stop.stop_requested())
            return false;
        const std::int64_t size = std::min(left, static_cast<std::int64_t>(chunk.size()));
        read(chunk.data(), static_cast<std::size_t>(size), file.name);
        output.write(chunk.data(), static_cast<std::size_t>(size));
        left -= size;
        m_bytes += size;
        m_unpacked(m_bytes);
    }
    output.close();
    read(chunk.data(), (kBlock - static_cast<std::size_t>(file.bytes) % kBlock) % kBlock);
    return true;
}

// Reading on to the end also lets zlib check the checksum of all of it.
void Unpacking::requireEnd()
{
    Block block {};
    std::int64_t bytes = 0;
    while (const std::size_t size = m_input.read(block.data(), kBlock)) {
        bytes += static_cast<std::int64_t>(size);
        if (bytes > kLargestEnd || !isZeros(block, size))
            refuse(Message("download.archive_tail"));
    }
    if (m_input.endsEarly())
        refuse(Message("download.archive_cut"));
}

bool Unpacking::readAll()
{
    while (const auto member = nextMember())
        if (!unpack(*member))
            return false;
    requireEnd();
    for (const PublishedFile& file : m_set.members)
        if (m_seen.count(m_set.archiveFolder + "/" + file.name) == 0)
            refuse(Message("download.archive_lacks", { { "member", file.name } }));
    return true;
}

// By the names of the set, never of the archive.
void removeMembers(const PublishedSet& set, const fs::path& folder)
{
    std::error_code ignored;
    for (const PublishedFile& file : set.members)
        fs::remove(folder / file.name, ignored);
}

} // namespace

bool unpackArchive(const PublishedSet& set, const fs::path& archive, const fs::path& into,
    const std::function<void(std::int64_t)>& unpacked, const std::stop_token& stop)
{
    try {
        if (Unpacking(set, archive, into, unpacked, stop).readAll())
            return true;
    } catch (...) {
        removeMembers(set, into);
        throw;
    }
    removeMembers(set, into);
    return false;
}

} // namespace accrue
