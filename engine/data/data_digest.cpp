// SPDX-License-Identifier: Apache-2.0
#include "engine/data/data_digest.h"

#include <array>
#include <memory>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace accrue {
namespace {

struct FreeState {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

// Byte by byte, so that the digest does not depend on the machine.
std::array<std::uint8_t, 8> littleEndian(std::int64_t value)
{
    std::array<std::uint8_t, 8> bytes {};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i));
    return bytes;
}

std::string hexadecimal(const XXH128_canonical_t& digest)
{
    std::string text;
    for (const unsigned char byte : digest.digest) {
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
    return text;
}

} // namespace

std::string dataDigest(const RawSplit& split)
{
    const std::unique_ptr<XXH3_state_t, FreeState> state(XXH3_createState());
    if (!state)
        throw std::bad_alloc();
    XXH3_128bits_reset(state.get());
    for (const std::int64_t size : { split.samples, split.channels, split.height, split.width }) {
        const auto bytes = littleEndian(size);
        XXH3_128bits_update(state.get(), bytes.data(), bytes.size());
    }
    XXH3_128bits_update(state.get(), split.images.data(), split.images.size());
    XXH3_128bits_update(state.get(), split.labels.data(), split.labels.size());
    XXH128_canonical_t digest;
    XXH128_canonicalFromHash(&digest, XXH3_128bits_digest(state.get()));
    return hexadecimal(digest);
}

} // namespace accrue
