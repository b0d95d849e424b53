// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/input_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// The framing of TensorFlow's record files, of which event files are one kind. A record is, in
// little-endian numbers: its length (8 bytes), the masked CRC-32C of these 8 bytes (4), its
// content, and the masked CRC-32C of the content (4).

// Frames the record whose content is appended to `out` between the two calls. The second gets what
// the first returned.
std::size_t beginRecord(std::string& out);
void endRecord(std::string& out, std::size_t begin);

// Reads the records of a file as long as it is at this moment. It may be any file: what cannot be
// read is reported by the last members. Needs the memory of the longest record. Throws Error if
// reading itself fails. One thread.
class RecordReader {
public:
    explicit RecordReader(const std::filesystem::path& file);

    // The content of the next whole record, valid until the next call; empty: there are no more.
    std::optional<std::string_view> next();

    std::int64_t damagedRecords() const { return m_damaged; } // skipped
    // The byte from which on nothing can be read: a length does not match its checksum.
    std::optional<std::uint64_t> unreadableFrom() const { return m_unreadableFrom; }
    // The beginning of a record of which the end is missing.
    std::optional<std::uint64_t> cutOffAt() const { return m_cutOffAt; }
    std::uint64_t size() const { return m_file.size(); }

private:
    bool fill(std::size_t bytes);
    std::optional<std::string_view> nextContent();
    std::uint64_t place() const { return m_readBytes - (m_end - m_begin); } // of m_begin

    InputFile m_file;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0; // of what is not read yet in the buffer
    std::size_t m_end = 0;
    std::uint64_t m_readBytes = 0; // from the file
    std::int64_t m_damaged = 0;
    std::optional<std::uint64_t> m_unreadableFrom;
    std::optional<std::uint64_t> m_cutOffAt;
    bool m_isDamaged = false; // the content that was read last
};

} // namespace accrue
