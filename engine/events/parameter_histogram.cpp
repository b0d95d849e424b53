// SPDX-License-Identifier: Apache-2.0
#include "engine/events/parameter_histogram.h"

#include <numeric>

namespace accrue {

std::string_view nameOf(HistogramOf of)
{
    return of == HistogramOf::Value ? "value" : "gradient";
}

std::optional<HistogramOf> histogramOfNamed(std::string_view name)
{
    for (const HistogramOf of : { HistogramOf::Value, HistogramOf::Gradient })
        if (nameOf(of) == name)
            return of;
    return {};
}

std::int64_t countOf(const ParameterHistogram& histogram)
{
    return std::accumulate(histogram.counts.begin(), histogram.counts.end(), histogram.notFinite);
}

} // namespace accrue
