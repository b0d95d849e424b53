// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace accrue {

// What the hashes of FIPS 180-4 with 32-bit words have in common: blocks of 64 bytes, the padding
// of section 5.1.1, a digest of the state's words. One object on one thread.
class BlockHash {
public:
    virtual ~BlockHash() = default;

    void update(const void* bytes, std::size_t size);
    // Lower-case hexadecimal digits of all bytes so far, 8 a word; the object is spent afterwards.
    std::string hexDigest();

private:
    virtual void absorb(const std::uint8_t* block) = 0;
    virtual std::vector<std::uint32_t> state() const = 0;

    std::array<std::uint8_t, 64> m_block {}; // bytes that do not fill a block yet
    std::uint64_t m_size = 0; // bytes so far
};

// A block as the words that every schedule begins with.
std::array<std::uint32_t, 16> wordsOf(const std::uint8_t* block);
// The digest of a whole file. Blocks. Throws DataError (raw_data.h) where it cannot be read.
std::string digestOfFile(BlockHash&& hash, const std::filesystem::path& file);

} // namespace accrue
