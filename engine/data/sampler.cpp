// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sampler.h"

#include "engine/base/random.h"

#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace accrue {

std::vector<std::int64_t> Sampler::epochOrder(std::int64_t epoch) const
{
    if (samples < 1 || samples > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument(
            "a sampler needs 1 to 4294967295 samples, got " + std::to_string(samples));
    std::vector<std::int64_t> order(static_cast<std::size_t>(samples));
    std::iota(order.begin(), order.end(), std::int64_t { 0 });
    if (!shuffle)
        return order;
    // std::shuffle may produce another order with another standard library.
    CounterRandom random(seed, static_cast<std::uint64_t>(epoch));
    for (std::size_t left = order.size(); left > 1; --left)
        std::swap(order[left - 1], order[random.below(static_cast<std::uint32_t>(left))]);
    return order;
}

} // namespace accrue
