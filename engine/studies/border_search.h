// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace accrue {

// Searches the largest number of a range that fits, where every number below one that fits also
// fits. Starts at a guess and moves away from it in doubling strides, so that a good guess costs
// two trials and a bad one costs the logarithm of its error.
class BorderSearch {
public:
    // `smallest` ≤ `largest`; a guess outside of them is the nearest of them.
    BorderSearch(std::int64_t smallest, std::int64_t largest, std::int64_t guess);

    // The number to try; nullopt: the border is found.
    std::optional<std::int64_t> next() const;
    void setFits(bool fits); // the result for next()

    // After the search: the largest that fits; nullopt: none does.
    std::optional<std::int64_t> border() const;

private:
    const std::int64_t m_smallest;
    const std::int64_t m_largest;
    const std::int64_t m_guess;
    std::int64_t m_fits; // the largest that is known to fit; m_smallest − 1: none is
    std::int64_t m_fails; // the smallest that is known not to; m_largest + 1: none is
    std::int64_t m_stride = 1;
};

} // namespace accrue
