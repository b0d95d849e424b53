// SPDX-License-Identifier: Apache-2.0
#include "engine/data/idx_file.h"

#include <algorithm>
#include <array>
#include <string>

#include "engine/data/input_file.h"
#include "engine/experiment/format.h"

namespace accrue {
namespace {

constexpr std::uint32_t kUnsignedBytes = 0x00000800; // or'ed with the number of dimensions
constexpr const char* kGetAgain = " Get the file again.";

std::uint32_t bigEndian(const std::uint8_t* bytes)
{
    return (std::uint32_t { bytes[0] } << 24) | (std::uint32_t { bytes[1] } << 16)
        | (std::uint32_t { bytes[2] } << 8) | bytes[3];
}

std::string hexadecimal(std::uint32_t value)
{
    std::string text = "0x";
    for (int shift = 28; shift >= 0; shift -= 4)
        text += "0123456789abcdef"[(value >> shift) & 15];
    return text;
}

std::string content(int dimensions)
{
    return dimensions == 1 ? "labels" : "images";
}

std::string bytesText(std::uint64_t bytes)
{
    return formatCount(static_cast<std::int64_t>(bytes)) + " bytes";
}

std::string sizesText(const std::vector<std::int64_t>& sizes)
{
    std::string text;
    for (const std::int64_t size : sizes)
        text += (text.empty() ? "" : " × ") + std::to_string(size);
    return text;
}

[[noreturn]] void throwTruncated(
    const InflatedFile& file, const std::string& promised, std::uint64_t found)
{
    throw DataError(file.path().string() + " is truncated: its header promises " + promised
        + ", found " + bytesText(found) + "." + kGetAgain);
}

void checkMagic(const InflatedFile& file, std::uint32_t magic, int dimensions)
{
    const std::uint32_t expected = kUnsignedBytes | static_cast<std::uint32_t>(dimensions);
    if (magic == expected)
        return;
    const int other = dimensions == 1 ? 3 : 1;
    const bool swapped = magic == (kUnsignedBytes | static_cast<std::uint32_t>(other));
    throw DataError(file.path().string() + " is not an IDX file of " + content(dimensions)
        + ": it begins with " + hexadecimal(magic) + ", expected " + hexadecimal(expected) + "."
        + (swapped ? " It holds " + content(other) + ": are two files interchanged?"
                   : " Is it another file under this name?"));
}

// The product of the sizes, or a sentence why it cannot be: the sizes are four-byte numbers, so
// their product is watched at every factor.
std::uint64_t promisedBytes(const InflatedFile& file, const std::vector<std::int64_t>& sizes)
{
    std::uint64_t bytes = 1;
    for (const std::int64_t size : sizes) {
        if (size == 0)
            throw DataError(file.path().string() + " holds no samples: its header says "
                + sizesText(sizes) + "." + kGetAgain);
        bytes *= static_cast<std::uint64_t>(size);
        if (bytes > kLargestDataFile)
            throw DataError(file.path().string() + " cannot be used: its header promises "
                + sizesText(sizes) + " values, more than the largest allowed, "
                + formatBytes(static_cast<std::int64_t>(kLargestDataFile))
                + ". Is the file damaged?");
    }
    return bytes;
}

struct IdxHeader {
    std::vector<std::int64_t> sizes;
    std::uint64_t bytes = 0; // that follow the header

    // "5 × 4 × 3 = 60 bytes"; one size alone is its bytes.
    std::string promise() const
    {
        return (sizes.size() > 1 ? sizesText(sizes) + " = " : "") + bytesText(bytes);
    }
};

IdxHeader readHeader(InflatedFile& file, int dimensions)
{
    const std::size_t length = 4 + 4 * static_cast<std::size_t>(dimensions);
    std::array<std::uint8_t, 16> bytes {};
    const std::size_t found = file.read(bytes.data(), length);
    if (found >= 4)
        checkMagic(file, bigEndian(bytes.data()), dimensions);
    if (found < length)
        throw DataError(file.path().string() + " is truncated: it ends after " + bytesText(found)
            + ", within its header." + kGetAgain);
    IdxHeader header;
    for (int dimension = 0; dimension < dimensions; ++dimension)
        header.sizes.push_back(bigEndian(bytes.data() + 4 + 4 * dimension));
    header.bytes = promisedBytes(file, header.sizes);
    if (header.bytes + length > file.largestContent())
        throw DataError(file.path().string()
            + " is truncated or its header is damaged: the header "
              "promises "
            + header.promise() + ", a file of this size can hold "
            + bytesText(
                file.largestContent() - std::min<std::uint64_t>(length, file.largestContent()))
            + "." + kGetAgain);
    return header;
}

void requireEnd(InflatedFile& file, const IdxHeader& header)
{
    std::uint8_t beyond = 0;
    const bool more = file.read(&beyond, 1) != 0;
    if (file.endsEarly())
        throw DataError(file.path().string() + " is truncated: its compressed bytes end too early."
            + kGetAgain);
    if (more)
        throw DataError(file.path().string() + " holds more than the " + header.promise()
            + " that its header promises: header and content do not belong together." + kGetAgain);
}

} // namespace

std::vector<std::int64_t> idxSizes(const std::filesystem::path& path, int dimensions)
{
    InflatedFile file(path);
    return readHeader(file, dimensions).sizes;
}

IdxArray readIdxFile(const std::filesystem::path& path, int dimensions)
{
    InflatedFile file(path);
    const IdxHeader header = readHeader(file, dimensions);
    IdxArray array { header.sizes, std::vector<std::uint8_t>(header.bytes) };
    const std::uint64_t found = file.read(array.values.data(), header.bytes);
    if (found < header.bytes)
        throwTruncated(file, bytesText(header.bytes), found);
    requireEnd(file, header);
    return array;
}

IdxCheck checkIdxFile(const std::filesystem::path& path, int dimensions)
{
    InflatedFile file(path);
    const IdxHeader header = readHeader(file, dimensions);
    std::vector<std::uint8_t> chunk(std::size_t { 1 } << 16);
    IdxCheck check { header.sizes, {} };
    std::uint64_t found = 0;
    while (found < header.bytes) {
        const auto wanted = std::min<std::uint64_t>(chunk.size(), header.bytes - found);
        const std::size_t taken = file.read(chunk.data(), wanted);
        if (taken == 0)
            throwTruncated(file, bytesText(header.bytes), found);
        if (found == 0)
            check.onlyValue = chunk[0];
        const auto differs = [&](std::uint8_t value) { return value != *check.onlyValue; };
        if (check.onlyValue && std::any_of(chunk.data(), chunk.data() + taken, differs))
            check.onlyValue.reset();
        found += taken;
    }
    requireEnd(file, header);
    return check;
}

} // namespace accrue
