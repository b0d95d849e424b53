// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace accrue {

// SHA-1 and SHA-256 (FIPS 180-4). Accrue recognises published files by them and seals checkpoints
// with SHA-256; neither guards a secret. SHA-1 exists only because the digests that public loaders
// carry of CIFAR's member files are of that kind. One object on one thread.
class Sha {
public:
    enum class Kind { Sha1, Sha256 };

    explicit Sha(Kind kind);
    void update(const void* bytes, std::size_t size);
    // Lower-case hexadecimal digits of all bytes so far, 40 or 64. The object is spent afterwards.
    std::string hexDigest();

private:
    void absorb(const std::uint8_t* block);

    const Kind m_kind;
    std::array<std::uint32_t, 8> m_state; // SHA-1 has the first five
    std::array<std::uint8_t, 64> m_block {}; // bytes that do not fill a block yet
    std::uint64_t m_size = 0; // bytes so far
};

std::string sha256(const void* bytes, std::size_t size);
// Both block, about 2 ms (SHA-1) and 4 ms (SHA-256) per megabyte, and throw Error where the
// file cannot be read.
std::string sha1OfFile(const std::filesystem::path& file);
std::string sha256OfFile(const std::filesystem::path& file);

} // namespace accrue
