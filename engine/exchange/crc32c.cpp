// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/crc32c.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace accrue {

namespace {

using Table = std::array<std::uint32_t, 256>;

// "Slicing by 8": table k has the effect of a byte that k more bytes follow, so that eight bytes
// are one step of eight independent look-ups. An export of a million updates checks hundreds of
// megabytes.
constexpr std::array<Table, 8> makeTables()
{
    std::array<Table, 8> tables {};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78U : 0U);
        tables[0][byte] = crc;
    }
    for (std::size_t k = 1; k < tables.size(); ++k)
        for (std::size_t byte = 0; byte < 256; ++byte)
            tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 0xff];
    return tables;
}

constexpr std::array<Table, 8> kTables = makeTables();

std::uint32_t withEightBytes(std::uint32_t crc, const char* bytes)
{
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word); // little-endian, as every machine that runs this
    word ^= crc;
    std::uint32_t next = 0;
    for (std::size_t k = 0; k < 8; ++k)
        next ^= kTables[7 - k][(word >> (8 * k)) & 0xff];
    return next;
}

} // namespace

std::uint32_t crc32c(std::string_view bytes)
{
    std::uint32_t crc = 0xffffffffU;
    std::size_t at = 0;
    for (; bytes.size() - at >= 8; at += 8)
        crc = withEightBytes(crc, bytes.data() + at);
    for (; at < bytes.size(); ++at)
        crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<unsigned char>(bytes[at])) & 0xff];
    return ~crc;
}

std::uint32_t maskedCrc32c(std::string_view bytes)
{
    const std::uint32_t crc = crc32c(bytes);
    return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
}

} // namespace accrue
