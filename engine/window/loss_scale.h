// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace accrue {

// What a loss is multiplied by before its backward pass, so that small gradients do not vanish in
// float16, as torch.amp.GradScaler adapts it: it halves after a scaled gradient overflowed and
// doubles after 2,000 windows without an overflow. Always a power of two, so that dividing by it
// rounds nothing. A value.
struct LossScale {
    static constexpr double kFirst = 65536;
    static constexpr double kLeast = 1;
    static constexpr double kGreatest = 16777216;
    static constexpr std::int64_t kWindowsToGrow = 2000;

    double value = 1; // 1: nothing is scaled
    std::int64_t windows = 0; // since it changed last, all without an overflow

    bool canFall() const { return value > kLeast; }
    void windowOverflowed()
    {
        value /= 2;
        windows = 0;
    }
    void windowApplied()
    {
        if (value == kGreatest || ++windows < kWindowsToGrow)
            return;
        value *= 2;
        windows = 0;
    }
};

} // namespace accrue
