// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

enum class HistogramOf { Value, Gradient };
// "value", "gradient"; also the names in JSON and SQL.
std::string_view nameOf(HistogramOf of);
std::optional<HistogramOf> histogramOfNamed(std::string_view name);

// How a run's own histograms are divided; those of other programs may have other numbers of bins.
inline constexpr std::size_t kHistogramBins = 64;

// Where the numbers of a parameter tensor lie, or those of its gradient. `counts` are of bins of
// equal width from `least` to `largest`; each bin begins at its lower edge, and the last one
// includes its upper edge. If all finite numbers are equal, there is one bin, of no width; if there
// are none, there is no bin, and the four numbers are NaN.
struct ParameterHistogram {
    std::string parameter; // as in model.safetensors: "conv1.weight"
    HistogramOf of = HistogramOf::Value;
    double least = 0; // of the finite numbers, like the three below
    double largest = 0;
    double mean = 0;
    double deviation = 0; // standard deviation, divided by the count
    std::int64_t notFinite = 0;
    std::vector<std::int64_t> counts {};
    friend bool operator==(const ParameterHistogram&, const ParameterHistogram&) = default;
};

// All numbers, those that are not finite included.
std::int64_t countOf(const ParameterHistogram& histogram);

// Of all trained parameters in the order of the network, after an update: values, and gradients as
// the optimizer got them.
struct HistogramsMeasured {
    std::int64_t step = 0;
    std::int64_t epoch = 0;
    std::int64_t samples = 0;
    std::int64_t microBatches = 0;
    double seconds = 0;
    std::vector<ParameterHistogram> histograms {};
};

} // namespace accrue
