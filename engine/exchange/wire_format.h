// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace accrue {

// The wire format of Protocol Buffers (protobuf.dev, "Encoding"), as far as TensorBoard's messages
// need it: a message is fields one after the other, each a number and a value.

// Appends fields to the message `out`, which is borrowed.
class WireWriter {
public:
    explicit WireWriter(std::string& out)
        : m_out(out)
    {
    }
    void putVarint(std::uint32_t field, std::uint64_t value);
    void putFloat(std::uint32_t field, float value);
    void putDouble(std::uint32_t field, double value);
    void putBytes(std::uint32_t field, std::string_view value); // text, too, and a message
    void putVarint(std::uint64_t value); // a bare one
    void putDouble(double value); // likewise
    // The beginning of a message of `size` bytes, which the caller appends.
    void putBeginning(std::uint32_t field, std::uint64_t size);

private:
    void putTag(std::uint32_t field, std::uint32_t type) { putVarint((field << 3) | type); }

    std::string& m_out;
};

// Lengths in bytes: of a bare varint, and of a field of bytes whose number is below 16.
std::size_t varintSize(std::uint64_t value);
inline std::size_t bytesFieldSize(std::size_t bytes)
{
    return 1 + varintSize(bytes) + bytes;
}

// Reads the fields of a message one after the other. Any bytes can be read: at the first that are
// no field, next() returns false, and isWhole() is false. Values of another type than the accessor
// are 0 or empty. Views are of `message`, which must outlive them.
class WireReader {
public:
    explicit WireReader(std::string_view message)
        : m_rest(message)
    {
    }

    bool next();
    bool isWhole() const { return m_whole; }
    std::uint32_t field() const { return m_field; }
    bool isBytes() const { return m_type == 2; }

    std::uint64_t varint() const { return m_type == 0 ? m_number : 0; }
    double asDouble() const; // of 64 bits
    float asFloat() const; // of 32 bits
    std::string_view bytes() const { return m_bytes; }

private:
    bool readVarint(std::uint64_t& value);
    bool readFixed(std::size_t size);
    bool readValue();

    std::string_view m_rest;
    std::string_view m_bytes;
    std::uint64_t m_number = 0;
    std::uint32_t m_field = 0;
    std::uint32_t m_type = 0;
    bool m_whole = true;
};

} // namespace accrue
