// SPDX-License-Identifier: Apache-2.0
#include "engine/data/data_digest.h"

#include <bit>

#include "engine/base/format.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace accrue {

// The digest must not depend on the machine.
static_assert(std::endian::native == std::endian::little, "the shape is hashed as little-endian");

std::string dataDigest(const RawSplit& split)
{
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_128bits_reset(&state);
    // The shape first: equal bytes with another shape are other data.
    for (const std::int64_t size : { split.samples, split.channels, split.height, split.width })
        XXH3_128bits_update(&state, &size, sizeof size);
    XXH3_128bits_update(&state, split.images.data(), split.images.size());
    XXH3_128bits_update(&state, split.labels.data(), split.labels.size());
    const XXH128_hash_t digest = XXH3_128bits_digest(&state);
    return hexadecimal(digest.high64, 16) + hexadecimal(digest.low64, 16);
}

} // namespace accrue
