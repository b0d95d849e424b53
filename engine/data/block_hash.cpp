// SPDX-License-Identifier: Apache-2.0
#include "engine/data/block_hash.h"

#include <algorithm>
#include <cstring>

#include "engine/data/input_file.h"

namespace accrue {

std::array<std::uint32_t, 16> wordsOf(const std::uint8_t* block)
{
    std::array<std::uint32_t, 16> words {};
    for (std::uint32_t& word : words) {
        word = (std::uint32_t { block[0] } << 24) | (std::uint32_t { block[1] } << 16)
            | (std::uint32_t { block[2] } << 8) | block[3];
        block += 4;
    }
    return words;
}

void BlockHash::update(const void* bytes, std::size_t size)
{
    const auto* from = static_cast<const std::uint8_t*>(bytes);
    while (size > 0) {
        const std::size_t held = m_size % m_block.size();
        if (held == 0 && size >= m_block.size()) {
            absorb(from);
            from += m_block.size();
            size -= m_block.size();
            m_size += m_block.size();
            continue;
        }
        const std::size_t taken = std::min(size, m_block.size() - held);
        std::memcpy(m_block.data() + held, from, taken);
        from += taken;
        size -= taken;
        m_size += taken;
        if (m_size % m_block.size() == 0)
            absorb(m_block.data());
    }
}

std::string BlockHash::hexDigest()
{
    const std::uint64_t bits = m_size * 8;
    const std::uint8_t one = 0x80;
    const std::uint8_t zero = 0;
    update(&one, 1);
    while (m_size % m_block.size() != 56)
        update(&zero, 1);
    for (int shift = 56; shift >= 0; shift -= 8) {
        const auto byte = static_cast<std::uint8_t>(bits >> shift);
        update(&byte, 1);
    }
    std::string digest;
    for (const std::uint32_t word : state())
        for (int shift = 28; shift >= 0; shift -= 4)
            digest += "0123456789abcdef"[(word >> shift) & 15];
    return digest;
}

std::string digestOfFile(BlockHash&& hash, const std::filesystem::path& file)
{
    InputFile input(file);
    std::vector<std::uint8_t> chunk(std::size_t { 1 } << 16);
    while (const std::size_t taken = input.read(chunk.data(), chunk.size()))
        hash.update(chunk.data(), taken);
    return hash.hexDigest();
}

} // namespace accrue
