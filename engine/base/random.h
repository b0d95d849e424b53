// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/host_device.h"

#include <cstdint>

namespace accrue {

// SplitMix64's finaliser: a bijection of 64 bits whose output looks random for any input.
ACCRUE_HOST_DEVICE constexpr std::uint64_t mixBits(std::uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31);
}

// Counter-based random numbers: the k-th draw is mixBits(key(seed, stream) + k · golden ratio), so
// a stream needs no history, and every machine and compiler produces the same numbers (which the
// distributions of std do not guarantee). A value type; one object on one thread.
class CounterRandom {
public:
    ACCRUE_HOST_DEVICE constexpr CounterRandom(std::uint64_t seed, std::uint64_t stream)
        : m_state(mixBits(mixBits(seed + kGolden) + stream * kStreamStep + kGolden))
    {
    }

    ACCRUE_HOST_DEVICE constexpr std::uint64_t next() { return mixBits(m_state += kGolden); }

    // Uniform in [0, bound), bound ≥ 1, without bias: a product in the uneven rest of 2^32 / bound
    // is drawn again (Lemire 2019).
    ACCRUE_HOST_DEVICE constexpr std::uint32_t below(std::uint32_t bound)
    {
        const std::uint32_t uneven = (0U - bound) % bound;
        std::uint64_t product = (next() >> 32) * bound;
        while (static_cast<std::uint32_t>(product) < uneven)
            product = (next() >> 32) * bound;
        return static_cast<std::uint32_t>(product >> 32);
    }

    // Uniform in [low, high], both included.
    ACCRUE_HOST_DEVICE constexpr std::int32_t between(std::int32_t low, std::int32_t high)
    {
        return low + static_cast<std::int32_t>(below(static_cast<std::uint32_t>(high - low) + 1U));
    }

private:
    static constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL; // 2^64 / golden ratio, odd
    static constexpr std::uint64_t kStreamStep = 0xd1342543de82ef95ULL;

    std::uint64_t m_state;
};

} // namespace accrue
