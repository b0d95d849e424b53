// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/record_file.h"

#include "engine/exchange/crc32c.h"

#include <algorithm>
#include <cstring>

namespace accrue {

namespace {

constexpr std::size_t kHeader = 12; // the length and its checksum
constexpr std::size_t kFooter = 4;
constexpr std::size_t kBufferBytes = std::size_t { 1 } << 20;

template <typename Number> Number numberAt(const char* bytes)
{
    Number number = 0;
    std::memcpy(&number, bytes, sizeof number);
    return number;
}

} // namespace

std::size_t beginRecord(std::string& out)
{
    out.append(kHeader, '\0');
    return out.size();
}

void endRecord(std::string& out, std::size_t begin)
{
    const std::uint64_t size = out.size() - begin;
    char* const header = out.data() + begin - kHeader;
    std::memcpy(header, &size, sizeof size);
    const std::uint32_t ofSize = maskedCrc32c({ header, sizeof size });
    std::memcpy(header + sizeof size, &ofSize, sizeof ofSize);
    const std::uint32_t ofContent = maskedCrc32c({ out.data() + begin, size });
    out.append(reinterpret_cast<const char*>(&ofContent), sizeof ofContent);
}

RecordReader::RecordReader(const std::filesystem::path& file)
    : m_file(file)
    , m_buffer(
          static_cast<std::size_t>(std::clamp<std::uint64_t>(m_file.size(), kHeader, kBufferBytes)))
{
}

std::optional<std::string_view> RecordReader::next()
{
    while (const std::optional<std::string_view> content = nextContent()) {
        if (!m_isDamaged)
            return content;
        ++m_damaged;
    }
    return std::nullopt;
}

std::optional<std::string_view> RecordReader::nextContent()
{
    if (m_unreadableFrom || m_cutOffAt || place() >= m_file.size())
        return std::nullopt;
    if (!fill(kHeader)) {
        m_cutOffAt = place();
        return std::nullopt;
    }
    const char* header = m_buffer.data() + m_begin;
    if (maskedCrc32c({ header, 8 }) != numberAt<std::uint32_t>(header + 8)) {
        m_unreadableFrom = place();
        return std::nullopt;
    }
    const auto size = numberAt<std::uint64_t>(header);
    // Compared with the file before any memory is reserved for it.
    const std::uint64_t left = m_file.size() - place() - kHeader;
    if (left < kFooter || size > left - kFooter || !fill(kHeader + size + kFooter)) {
        m_cutOffAt = place();
        return std::nullopt;
    }
    const std::string_view content(m_buffer.data() + m_begin + kHeader, size);
    m_isDamaged = maskedCrc32c(content) != numberAt<std::uint32_t>(content.data() + size);
    m_begin += kHeader + size + kFooter;
    return content;
}

// Makes so many bytes follow m_begin in the buffer; false: the file has fewer.
bool RecordReader::fill(std::size_t bytes)
{
    if (m_end - m_begin >= bytes)
        return true;
    std::copy(m_buffer.begin() + static_cast<std::ptrdiff_t>(m_begin),
        m_buffer.begin() + static_cast<std::ptrdiff_t>(m_end), m_buffer.begin());
    m_end -= m_begin;
    m_begin = 0;
    m_buffer.resize(std::max(m_buffer.size(), bytes));
    // Bytes that a running program adds meanwhile are left to the next import.
    const std::uint64_t left = m_file.size() - m_readBytes;
    const std::size_t room = m_buffer.size() - m_end;
    const std::size_t read = m_file.read(
        m_buffer.data() + m_end, static_cast<std::size_t>(std::min<std::uint64_t>(room, left)));
    m_end += read;
    m_readBytes += read;
    return m_end >= bytes;
}

} // namespace accrue
