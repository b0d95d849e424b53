// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace accrue {

// What a few runs that differ by chance alone say about the mean of all such runs. All functions
// are pure.

// The interval contains the true mean in 95 % of all cases, if the values are normally distributed:
//
//   mean ± t(0.95, n - 1) · s / √n,   s² = Σ (x - mean)² / (n - 1)
struct MeanInterval {
    std::int64_t count = 0; // n, of finite values; the others are left out
    double mean = 0; // NaN of none
    double deviation = 0; // s; NaN of fewer than two
    double low = 0; // both ends NaN of fewer than two
    double high = 0;

    double half() const { return (high - low) / 2; }
    // The interval does not contain 0. False of fewer than two values.
    bool excludesZero() const { return low > 0 || high < 0; }
};
MeanInterval meanInterval(const std::vector<double>& values);

// The paired t test: whether the mean of differences, each of two runs that share all chance
// (the same seed), is 0.
struct PairedTest {
    MeanInterval difference;
    double t = 0; // mean / (s / √n); infinite if all differences are the same, NaN if all are 0
    double p = 0; // two-sided; NaN where t is
};
// Empty: fewer than two differences are finite.
std::optional<PairedTest> pairedTest(const std::vector<double>& differences);

// The smallest number of differences (≥ 2) for which the interval of their mean would exclude 0, if
// mean and deviation stay as they are. Empty: the mean is 0, one of both is not finite, or it
// would take more than `most`.
std::optional<std::int64_t> countToExcludeZero(
    double mean, double deviation, std::int64_t most = 1000);

} // namespace accrue
