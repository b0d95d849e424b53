// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace accrue {

// Looks for the largest number of a range that fits, where each that is smaller than one that fits
// does too. Begins at a guess and goes from it in growing strides, so that a good guess costs two
// trials, and a bad one as many as the digits of how bad it is.
class BorderSearch {
public:
    // `smallest` ≤ `largest`; a guess outside of them is the nearest of them.
    BorderSearch(std::int64_t smallest, std::int64_t largest, std::int64_t guess);

    // What is to be tried; nullopt: the border is found.
    std::optional<std::int64_t> next() const;
    // Of next().
    void tell(bool fits);

    // Once it is found: the largest that fits; nullopt: none does.
    std::optional<std::int64_t> border() const;

private:
    const std::int64_t m_smallest;
    const std::int64_t m_largest;
    const std::int64_t m_guess;
    std::int64_t m_fits; // the largest that is known to; m_smallest − 1: none is
    std::int64_t m_fails; // the smallest that is known to; m_largest + 1: none is
    std::int64_t m_stride = 1;
};

} // namespace accrue
