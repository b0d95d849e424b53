// SPDX-License-Identifier: Apache-2.0
#include "engine/base/sha.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "engine/base/format.h"
#include "engine/base/input_file.h"

namespace accrue {
namespace {

// Both digests take blocks of 64 bytes, read them as big-endian words and are padded alike; they
// differ in the schedule and the rounds alone. One class therefore holds both.
using State = std::array<std::uint32_t, 8>;

// Sections 4.2 and 5.3. Those of SHA-256 are the first 32 bits behind the point of square roots
// (the state) and cube roots (the constants) of the first primes.
constexpr State kSha1Begin { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
constexpr State kSha256Begin { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
    0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
constexpr std::array<std::uint32_t, 4> kSha1Constants { 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc,
    0xca62c1d6 };
constexpr std::array<std::uint32_t, 64> kSha256Constants { 0x428a2f98, 0x71374491, 0xb5c0fbcf,
    0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6,
    0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70,
    0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c,
    0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814,
    0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2 };

// The message schedule: the 16 words of a block, and each further word computed by `next` from the
// words before it.
template <std::size_t Words, typename Next>
std::array<std::uint32_t, Words> scheduleOf(const std::uint8_t* block, Next next)
{
    std::array<std::uint32_t, Words> words {};
    for (std::size_t i = 0; i < 16; ++i, block += 4)
        words[i] = (std::uint32_t { block[0] } << 24) | (std::uint32_t { block[1] } << 16)
            | (std::uint32_t { block[2] } << 8) | block[3];
    for (std::size_t i = 16; i < Words; ++i)
        words[i] = next(words.data() + i);
    return words;
}

std::uint32_t sha1Word(const std::uint32_t* at)
{
    return std::rotl(at[-3] ^ at[-8] ^ at[-14] ^ at[-16], 1);
}

std::uint32_t sha256Word(const std::uint32_t* at)
{
    const std::uint32_t a = at[-15];
    const std::uint32_t b = at[-2];
    return at[-16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + at[-7]
        + (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
}

std::uint32_t sha1Mixed(std::size_t round, std::uint32_t b, std::uint32_t c, std::uint32_t d)
{
    if (round < 20)
        return (b & c) ^ (~b & d);
    if (round >= 40 && round < 60)
        return (b & c) ^ (b & d) ^ (c & d);
    return b ^ c ^ d;
}

// What a block adds to the state. Letters as in FIPS 180-4, section 6.1.2.
State sha1Rounds(const State& state, const std::uint8_t* block)
{
    const auto words = scheduleOf<80>(block, sha1Word);
    auto [a, b, c, d, e, unused1, unused2, unused3] = state;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::uint32_t t =
            std::rotl(a, 5) + sha1Mixed(i, b, c, d) + e + kSha1Constants[i / 20] + words[i];
        e = d;
        d = c;
        c = std::rotl(b, 30);
        b = a;
        a = t;
    }
    return { a, b, c, d, e };
}

// Letters as in section 6.2.2.
State sha256Rounds(const State& state, const std::uint8_t* block)
{
    const auto words = scheduleOf<64>(block, sha256Word);
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t choice = (e & f) ^ (~e & g);
        const std::uint32_t t1 = h + sum1 + choice + kSha256Constants[i] + words[i];
        const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + sum0 + majority;
    }
    return { a, b, c, d, e, f, g, h };
}

std::string digestOfFile(Sha::Kind kind, const std::filesystem::path& file)
{
    InputFile input(file);
    Sha hash(kind);
    std::vector<std::uint8_t> chunk(std::size_t { 1 } << 16);
    while (const std::size_t read = input.read(chunk.data(), chunk.size()))
        hash.update(chunk.data(), read);
    return hash.hexDigest();
}

} // namespace

Sha::Sha(Kind kind)
    : m_kind(kind)
    , m_state(kind == Kind::Sha1 ? kSha1Begin : kSha256Begin)
{
}

void Sha::absorb(const std::uint8_t* block)
{
    const State added =
        m_kind == Kind::Sha1 ? sha1Rounds(m_state, block) : sha256Rounds(m_state, block);
    for (std::size_t i = 0; i < m_state.size(); ++i)
        m_state[i] += added[i];
}

// Files are hashed in chunks of any size, while both functions take whole blocks: what is left over
// waits in m_block.
void Sha::update(const void* bytes, std::size_t size)
{
    const auto* from = static_cast<const std::uint8_t*>(bytes);
    while (size > 0) {
        const std::size_t held = m_size % m_block.size();
        const std::size_t taken = std::min(size, m_block.size() - held);
        // All but the first and the last block of a large piece are hashed where they lie.
        const bool isWhole = taken == m_block.size();
        if (!isWhole)
            std::memcpy(m_block.data() + held, from, taken);
        m_size += taken;
        if (m_size % m_block.size() == 0)
            absorb(isWhole ? from : m_block.data());
        from += taken;
        size -= taken;
    }
}

// Padding of section 5.1.1: a one bit, zeros, and the length in bits as 64 of them.
std::string Sha::hexDigest()
{
    const std::uint64_t bits = m_size * 8;
    std::uint8_t padding = 0x80;
    do {
        update(&padding, 1);
        padding = 0;
    } while (m_size % m_block.size() != 56);
    for (int shift = 56; shift >= 0; shift -= 8) {
        const auto byte = static_cast<std::uint8_t>(bits >> shift);
        update(&byte, 1);
    }
    std::string digest;
    const std::size_t words = m_kind == Kind::Sha1 ? 5 : 8;
    for (std::size_t i = 0; i < words; ++i)
        digest += hexadecimal(m_state[i], 8);
    return digest;
}

std::string sha256(const void* bytes, std::size_t size)
{
    Sha hash(Sha::Kind::Sha256);
    hash.update(bytes, size);
    return hash.hexDigest();
}

std::string sha1OfFile(const std::filesystem::path& file)
{
    return digestOfFile(Sha::Kind::Sha1, file);
}

std::string sha256OfFile(const std::filesystem::path& file)
{
    return digestOfFile(Sha::Kind::Sha256, file);
}

} // namespace accrue
