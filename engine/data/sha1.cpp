// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sha1.h"

#include <algorithm>
#include <array>
#include <bit>

namespace accrue {
namespace {

constexpr std::array<std::uint32_t, 4> kRoundConstants { 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc,
    0xca62c1d6 };

std::uint32_t mixed(std::size_t round, std::uint32_t b, std::uint32_t c, std::uint32_t d)
{
    if (round < 20)
        return (b & c) ^ (~b & d);
    if (round >= 40 && round < 60)
        return (b & c) ^ (b & d) ^ (c & d);
    return b ^ c ^ d;
}

} // namespace

// Letters as in FIPS 180-4, section 6.1.2.
void Sha1::absorb(const std::uint8_t* block)
{
    std::array<std::uint32_t, 80> words {};
    const auto first = wordsOf(block);
    std::copy(first.begin(), first.end(), words.begin());
    for (std::size_t i = first.size(); i < words.size(); ++i)
        words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);

    auto [a, b, c, d, e] = m_state;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::uint32_t t =
            std::rotl(a, 5) + mixed(i, b, c, d) + e + kRoundConstants[i / 20] + words[i];
        e = d;
        d = c;
        c = std::rotl(b, 30);
        b = a;
        a = t;
    }
    const std::array<std::uint32_t, 5> added { a, b, c, d, e };
    for (std::size_t i = 0; i < added.size(); ++i)
        m_state[i] += added[i];
}

std::string sha1OfFile(const std::filesystem::path& file)
{
    return digestOfFile(Sha1(), file);
}

} // namespace accrue
