// SPDX-License-Identifier: Apache-2.0
#include "engine/base/sha.h"

#include <array>
#include <cstdint>
#include <vector>

#include <nettle/nettle-meta.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>

#include "engine/base/format.h"
#include "engine/base/input_file.h"

namespace accrue {
namespace {

// One of nettle's hash functions, over all bytes that are added.
class Hash {
public:
    explicit Hash(const nettle_hash& function)
        : m_function(function)
    {
        m_function.init(&m_context);
    }

    void update(const void* bytes, std::size_t size)
    {
        m_function.update(&m_context, size, static_cast<const std::uint8_t*>(bytes));
    }

    std::string hexDigest()
    {
        std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest {};
        m_function.digest(&m_context, m_function.digest_size, digest.data());
        std::string digits;
        for (std::size_t i = 0; i < m_function.digest_size; ++i)
            digits += hexadecimal(digest.at(i), 2);
        return digits;
    }

private:
    const nettle_hash& m_function;
    // Only the context of the chosen function is used, so they share their memory.
    union {
        sha1_ctx sha1;
        sha256_ctx sha256;
    } m_context;
};

std::string digestOfFile(const nettle_hash& function, const std::filesystem::path& file)
{
    InputFile input(file);
    Hash hash(function);
    // In pieces, so that a file of gigabytes needs no memory of its size.
    std::vector<std::uint8_t> chunk(std::size_t { 1 } << 16);
    while (const std::size_t read = input.read(chunk.data(), chunk.size()))
        hash.update(chunk.data(), read);
    return hash.hexDigest();
}

} // namespace

std::string sha256(const void* bytes, std::size_t size)
{
    Hash hash(nettle_sha256);
    hash.update(bytes, size);
    return hash.hexDigest();
}

std::string sha1OfFile(const std::filesystem::path& file)
{
    return digestOfFile(nettle_sha1, file);
}

std::string sha256OfFile(const std::filesystem::path& file)
{
    return digestOfFile(nettle_sha256, file);
}

} // namespace accrue
