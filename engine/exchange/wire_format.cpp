// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/wire_format.h"

#include <bit>
#include <cstring>

// Numbers are little-endian, as every machine that runs this.

namespace accrue {

namespace {

enum WireType : std::uint32_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

template <typename Value> void append(std::string& out, Value value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

} // namespace

void WireWriter::putVarint(std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        m_out += static_cast<char>((value & 0x7f) | 0x80);
    m_out += static_cast<char>(value);
}

void WireWriter::putVarint(std::uint32_t field, std::uint64_t value)
{
    putTag(field, Varint);
    putVarint(value);
}

void WireWriter::putFloat(std::uint32_t field, float value)
{
    putTag(field, Fixed32);
    append(m_out, value);
}

void WireWriter::putDouble(std::uint32_t field, double value)
{
    putTag(field, Fixed64);
    append(m_out, value);
}

void WireWriter::putDouble(double value)
{
    append(m_out, value);
}

void WireWriter::putBytes(std::uint32_t field, std::string_view value)
{
    putBeginning(field, value.size());
    m_out += value;
}

void WireWriter::putBeginning(std::uint32_t field, std::uint64_t size)
{
    putTag(field, Bytes);
    putVarint(size);
}

std::size_t varintSize(std::uint64_t value)
{
    return (static_cast<std::size_t>(std::bit_width(value | 1)) + 6) / 7;
}

bool WireReader::next()
{
    if (m_rest.empty() || !m_whole)
        return false;
    std::uint64_t tag = 0;
    m_whole = readVarint(tag) && tag >= 8 && tag <= 0xffffffffU;
    m_field = static_cast<std::uint32_t>(tag >> 3);
    m_type = static_cast<std::uint32_t>(tag & 7);
    m_whole = m_whole && readValue();
    return m_whole;
}

bool WireReader::readValue()
{
    m_number = 0;
    m_bytes = {};
    switch (m_type) {
    case Varint:
        return readVarint(m_number);
    case Fixed64:
        return readFixed(8);
    case Fixed32:
        return readFixed(4);
    case Bytes:
        break;
    default: // groups, which no such message has
        return false;
    }
    std::uint64_t size = 0;
    if (!readVarint(size) || size > m_rest.size())
        return false;
    m_bytes = m_rest.substr(0, size);
    m_rest.remove_prefix(size);
    return true;
}

bool WireReader::readVarint(std::uint64_t& value)
{
    value = 0;
    for (unsigned shift = 0; shift < 64 && !m_rest.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(m_rest.front());
        m_rest.remove_prefix(1);
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

bool WireReader::readFixed(std::size_t size)
{
    if (m_rest.size() < size)
        return false;
    std::memcpy(&m_number, m_rest.data(), size);
    m_rest.remove_prefix(size);
    return true;
}

double WireReader::asDouble() const
{
    return m_type == Fixed64 ? std::bit_cast<double>(m_number) : 0;
}

float WireReader::asFloat() const
{
    return m_type == Fixed32 ? std::bit_cast<float>(static_cast<std::uint32_t>(m_number)) : 0;
}

} // namespace accrue
