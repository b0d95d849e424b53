// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "engine/data/block_hash.h"

namespace accrue {

// SHA-256 (FIPS 180-4), to recognise published files and to seal checkpoints: nothing here guards a
// secret.
class Sha256 : public BlockHash {
    void absorb(const std::uint8_t* block) override;
    std::vector<std::uint32_t> state() const override { return { m_state.begin(), m_state.end() }; }

    std::array<std::uint32_t, 8> m_state { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
};

// 64 lower-case hexadecimal digits.
std::string sha256(const void* bytes, std::size_t size);
// Blocks, about 4 ms a megabyte. Throws DataError (raw_data.h) where the file cannot be read.
std::string sha256OfFile(const std::filesystem::path& file);

} // namespace accrue
