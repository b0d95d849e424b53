// SPDX-License-Identifier: Apache-2.0
#include "engine/data/data_digest.h"

#include <array>

#include "engine/base/format.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace accrue {
namespace {

// Byte by byte, so that the digest does not depend on the machine.
std::array<std::uint8_t, 8> littleEndian(std::int64_t value)
{
    std::array<std::uint8_t, 8> bytes {};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i));
    return bytes;
}

} // namespace

std::string dataDigest(const RawSplit& split)
{
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_128bits_reset(&state);
    // The shape first: equal bytes as other pictures are other data.
    for (const std::int64_t size : { split.samples, split.channels, split.height, split.width }) {
        const auto bytes = littleEndian(size);
        XXH3_128bits_update(&state, bytes.data(), bytes.size());
    }
    XXH3_128bits_update(&state, split.images.data(), split.images.size());
    XXH3_128bits_update(&state, split.labels.data(), split.labels.size());
    const XXH128_hash_t digest = XXH3_128bits_digest(&state);
    return hexadecimal(digest.high64, 16) + hexadecimal(digest.low64, 16);
}

} // namespace accrue
