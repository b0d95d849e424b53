// SPDX-License-Identifier: Apache-2.0
#include "engine/data/idx_file.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "engine/base/format.h"
#include "engine/base/input_file.h"

namespace accrue {
namespace {

// The magic number consists of two zeros, the type of the values and the number of dimensions.
// MNIST has no other type than unsigned bytes.
constexpr std::uint32_t kUnsignedBytes = 0x00000800; // or'ed with the number of dimensions
std::uint32_t bigEndian(const std::uint8_t* bytes)
{
    return (std::uint32_t { bytes[0] } << 24) | (std::uint32_t { bytes[1] } << 16)
        | (std::uint32_t { bytes[2] } << 8) | bytes[3];
}

Message content(int dimensions)
{
    return dimensions == 1 ? Message("data.labels") : Message("data.images");
}

std::string sizesText(const std::vector<std::int64_t>& sizes)
{
    std::string text;
    for (const std::int64_t size : sizes)
        text += (text.empty() ? "" : " × ") + std::to_string(size);
    return text;
}

void checkMagic(const std::filesystem::path& file, std::uint32_t magic, int dimensions)
{
    const std::uint32_t expected = kUnsignedBytes | static_cast<std::uint32_t>(dimensions);
    if (magic == expected)
        return;
    // The usual mistake, a file of labels in place of images, has a message of its own.
    const int other = dimensions == 1 ? 3 : 1;
    if (magic == (kUnsignedBytes | static_cast<std::uint32_t>(other)))
        throw Error(Message("data.idx_interchanged",
            { { "file", file }, { "found", content(other) },
                { "expected", content(dimensions) } }));
    throw Error(Message("data.idx_other_magic",
        { { "file", file }, { "content", content(dimensions) },
            { "found", "0x" + hexadecimal(magic, 8) },
            { "expected", "0x" + hexadecimal(expected, 8) } }));
}

// The sizes are four-byte numbers, so their product is checked at every factor.
std::uint64_t contentBytes(
    const std::filesystem::path& file, const std::vector<std::int64_t>& sizes)
{
    std::uint64_t bytes = 1;
    for (const std::int64_t size : sizes) {
        if (size == 0)
            throw Error(
                Message("data.idx_empty", { { "file", file }, { "sizes", sizesText(sizes) } }));
        bytes *= static_cast<std::uint64_t>(size);
        if (bytes > kLargestDataFile)
            throw Error(Message("data.idx_too_large",
                { { "file", file }, { "sizes", sizesText(sizes) },
                    { "limit", ByteCount { kLargestDataFile } } }));
    }
    return bytes;
}

struct IdxHeader {
    std::vector<std::int64_t> sizes;
    std::uint64_t bytes = 0; // that follow the header
};

// Before memory is allocated for the content: a header of a few bytes can specify gigabytes.
void requireRoomFor(const IdxHeader& header, std::size_t length, const InflatedFile& file)
{
    const std::uint64_t most = file.largestContent();
    if (header.bytes + length <= most)
        return;
    throw Error(Message("data.idx_too_short",
        { { "file", file.path() }, { "sizes", sizesText(header.sizes) },
            { "most", most - std::min<std::uint64_t>(length, most) } }));
}

IdxHeader readHeader(InflatedFile& file, int dimensions)
{
    const std::size_t length = 4 + 4 * static_cast<std::size_t>(dimensions);
    std::array<std::uint8_t, 16> bytes {};
    const std::size_t found = file.read(bytes.data(), length);
    // A file of another kind may be shorter than this header, so its magic number is checked first.
    if (found >= 4)
        checkMagic(file.path(), bigEndian(bytes.data()), dimensions);
    if (found < length)
        throw Error(
            Message("data.idx_header_cut", { { "file", file.path() }, { "bytes", found } }));
    IdxHeader header;
    for (int dimension = 0; dimension < dimensions; ++dimension)
        header.sizes.push_back(bigEndian(bytes.data() + 4 + 4 * dimension));
    header.bytes = contentBytes(file.path(), header.sizes);
    requireRoomFor(header, length, file);
    return header;
}

// A header and a content that do not belong together often seem to fit at first, so there must be
// nothing after the content.
void requireEnd(InflatedFile& file, const IdxHeader& header)
{
    std::uint8_t beyond = 0;
    const bool more = file.read(&beyond, 1) != 0;
    if (file.endsEarly())
        throw Error(Message("data.idx_compression_cut", { { "file", file.path() } }));
    if (more)
        throw Error(
            Message("data.idx_too_long", { { "file", file.path() }, { "bytes", header.bytes } }));
}

} // namespace

std::vector<std::int64_t> idxSizes(const std::filesystem::path& path, int dimensions)
{
    InflatedFile file(path);
    return readHeader(file, dimensions).sizes;
}

IdxArray readIdxFile(const std::filesystem::path& path, int dimensions, Pixels pixels)
{
    constexpr std::uint64_t kBlock = std::uint64_t { 1 } << 16;
    InflatedFile file(path);
    const IdxHeader header = readHeader(file, dimensions);
    const bool stores = pixels == Pixels::Store;
    // All values, or one block after the other.
    std::vector<std::uint8_t> block(stores ? header.bytes : std::min(header.bytes, kBlock));
    std::uint8_t first = 0;
    bool isOnly = true;
    for (std::uint64_t found = 0; found < header.bytes; found += block.size()) {
        block.resize(std::min<std::uint64_t>(block.size(), header.bytes - found));
        if (const std::size_t count = file.read(block.data(), block.size()); count < block.size())
            throw Error(Message("data.idx_truncated",
                { { "file", path }, { "expected", header.bytes }, { "found", found + count } }));
        if (found == 0)
            first = block.front();
        isOnly = isOnly && std::all_of(block.begin(), block.end(), [first](std::uint8_t value) {
            return value == first;
        });
    }
    requireEnd(file, header);
    return { header.sizes, stores ? std::move(block) : std::vector<std::uint8_t>(),
        isOnly ? std::optional(first) : std::nullopt };
}

} // namespace accrue
