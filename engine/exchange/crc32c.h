// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace accrue {

// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78), which zlib lacks. Pure.
std::uint32_t crc32c(std::string_view bytes);

// As record files store it, so that the checksum of bytes that contain checksums is still a good
// one: rotated right by 15 bits, plus 0xa282ead8.
std::uint32_t maskedCrc32c(std::string_view bytes);

} // namespace accrue
