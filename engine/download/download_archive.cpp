// SPDX-License-Identifier: Apache-2.0
#include "engine/download/download_archive.h"

#include "engine/base/input_file.h"
#include "engine/base/shown_text.h"
#include "engine/base/written_value.h"
#include "engine/download/download_folder.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace accrue {
namespace {

namespace fs = std::filesystem;

// POSIX.1-1988 (ustar): a header of 512 bytes, the content filled up to a multiple of 512, at the
// end blocks of zeros.
constexpr std::int64_t kBlock = 512;
constexpr std::int64_t kChunk = 2048 * kBlock;
constexpr std::int64_t kLargestEnd = 1024 * 1024; // GNU tar fills up to 10 KiB
constexpr std::int64_t kLargestSpareMember = 64 * 1024;
using Block = std::array<char, kBlock>;

std::string_view field(const Block& block, std::size_t begin, std::size_t size)
{
    const std::string_view whole(block.data() + begin, size);
    return whole.substr(0, whole.find('\0'));
}

// Octal digits between blanks; below 0: something else.
std::int64_t number(std::string_view text)
{
    text = trimmed(text);
    std::int64_t value = -1;
    const char* const end = text.data() + text.size();
    return std::from_chars(text.data(), end, value, 8).ptr == end ? value : -1;
}

std::string nameIn(const Block& block)
{
    const std::string name(field(block, 0, 100));
    // Only POSIX's own form has a second part of the name; GNU's has times in its place.
    const std::string_view prefix = field(block, 345, 155);
    const bool isPosix = std::string_view(block.data() + 257, 6) == std::string_view("ustar\0", 6);
    return isPosix && !prefix.empty() ? std::string(prefix) + "/" + name : name;
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
        for (const PublishedFile& file : set.members)
            m_expected[set.archiveFolder + "/" + file.name] = &file;
        for (const std::string& name : set.spare)
            m_expected[set.archiveFolder + "/" + name] = nullptr;
    }
    // By the names of the set, never of the archive.
    ~Unpacking()
    {
        std::error_code ignored;
        for (const PublishedFile& file : m_set.members)
            if (!m_isWhole)
                fs::remove(m_into / file.name, ignored);
    }

    // False: stopped.
    bool readAll()
    {
        Block block {};
        for (read(block.data(), kBlock); block != Block {}; read(block.data(), kBlock))
            if (!readMember(block))
                return false;
        requireEnd();
        for (const auto& [name, file] : m_expected)
            if (file)
                refuse(Message("download.archive_lacks", { { "member", file->name } }));
        m_isWhole = true;
        return true;
    }

private:
    // A link in an archive could lead anywhere; only plain files are ever written. False: stopped.
    bool readMember(const Block& header)
    {
        const std::int64_t bytes = number(field(header, 124, 12));
        if (bytes < 0)
            refuse(Message("download.archive_damaged"));
        const std::string name = nameIn(header);
        const char type = header[156];
        const std::string& folder = m_set.archiveFolder;
        if (type == '5' && bytes == 0 && (name == folder || name == folder + "/")
            && !std::exchange(m_hasFolder, true))
            return true;
        if (type != '0' && type != '\0')
            refuse(Message("download.archive_no_file", { { "member", shortened(name) } }));
        const auto expected = m_expected.find(name);
        if (expected == m_expected.end() || (!expected->second && bytes > kLargestSpareMember))
            refuse(Message("download.archive_foreign", { { "member", shortened(name) } }));
        const PublishedFile* const file = expected->second;
        m_expected.erase(expected); // a second one would be foreign
        if (!file)
            return copy(bytes, nullptr);
        if (bytes != file->bytes)
            refuse(Message("download.archive_other_size",
                { { "member", file->name }, { "found", bytes }, { "expected", file->bytes } }));
        OutputFile output = growingFile(m_into / file->name);
        output.clear();
        return copy(bytes, &output);
    }

    bool copy(std::int64_t bytes, OutputFile* output)
    {
        std::vector<char> chunk(kChunk);
        for (std::int64_t left = bytes; left > 0; left -= kChunk) {
            if (m_stop.stop_requested())
                return false;
            read(chunk.data(), std::min(kChunk, (left + kBlock - 1) / kBlock * kBlock));
            if (!output)
                continue;
            output->write(chunk.data(), static_cast<std::size_t>(std::min(kChunk, left)));
            m_unpacked(m_bytes += std::min(kChunk, left));
        }
        if (output)
            output->close();
        return true;
    }

    // Reading on to the end also lets zlib check the checksum of all of it.
    void requireEnd()
    {
        Block block {};
        std::int64_t bytes = 0;
        while (const std::size_t size = m_input.read(block.data(), kBlock)) {
            bytes += static_cast<std::int64_t>(size);
            if (bytes > kLargestEnd || block != Block {})
                refuse(Message("download.archive_damaged"));
        }
        if (m_input.endsEarly())
            refuse(Message("download.archive_damaged"));
    }

    void read(char* bytes, std::int64_t size)
    {
        if (m_input.read(bytes, static_cast<std::size_t>(size)) != static_cast<std::size_t>(size))
            refuse(Message("download.archive_damaged"));
    }

    [[noreturn]] void refuse(const Message& reason) const
    {
        throw Error(Message(
            "download.archive_refused", { { "file", m_input.path() }, { "reason", reason } }));
    }

    const PublishedSet& m_set;
    InflatedFile m_input;
    const fs::path& m_into;
    const std::function<void(std::int64_t)>& m_unpacked;
    const std::stop_token& m_stop;
    std::map<std::string, const PublishedFile*> m_expected; // by name; null: a spare member
    std::int64_t m_bytes = 0; // written
    bool m_hasFolder = false;
    bool m_isWhole = false;
};

} // namespace

bool unpackArchive(const PublishedSet& set, const fs::path& archive, const fs::path& into,
    const std::function<void(std::int64_t)>& unpacked, const std::stop_token& stop)
{
    return Unpacking(set, archive, into, unpacked, stop).readAll();
}

} // namespace accrue
