// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "engine/data/block_hash.h"

namespace accrue {

// SHA-1 (FIPS 180-4), because the digests that public loaders of CIFAR carry are of this kind:
// nothing here guards a secret.
class Sha1 : public BlockHash {
    void absorb(const std::uint8_t* block) override;
    std::vector<std::uint32_t> state() const override { return { m_state.begin(), m_state.end() }; }

    std::array<std::uint32_t, 5> m_state { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
        0xc3d2e1f0 };
};

// 40 lower-case hexadecimal digits. Blocks, about 2 ms a megabyte. Throws DataError (raw_data.h)
// where the file cannot be read.
std::string sha1OfFile(const std::filesystem::path& file);

} // namespace accrue
