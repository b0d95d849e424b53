// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/logged_progress.h"

#include "engine/logfile/metric_columns.h"

#include <algorithm>
#include <limits>

namespace accrue {

void MetricTally::add(double value, std::int64_t step, Better better)
{
    // NaN means "no finite value yet". A first value that is not finite does not change that, but
    // is the final one.
    if (!seen)
        best = min = max = std::numeric_limits<double>::quiet_NaN();
    seen = touched = true;
    final = value;
    if (!std::isfinite(value))
        return;
    if (std::isnan(best) || (better == Better::Higher ? value > best : value < best)) {
        best = value;
        bestStep = step;
    }
    min = std::isnan(min) ? value : std::min(min, value);
    max = std::isnan(max) ? value : std::max(max, value);
}

void MetricTallies::add(const MetricInfo& metric, double value, std::int64_t step)
{
    MetricTally& tally = metric.id == MetricId::Elsewhere
        ? m_others[metric.name]
        : m_known.at(static_cast<std::size_t>(metric.id));
    tally.add(value, step, metric.better);
}

void MetricTallies::addCarried(const std::vector<MetricValue>& values, std::int64_t step)
{
    // A summary is that of rank 0. Metrics of a trace have none.
    for (const MetricValue& each : values)
        if (const MetricInfo metric = metricNamed(each.metric); isCarriedByName(metric)
            && each.rank == kFirstRank && metric.section != MetricSection::Trace)
            add(metric, each.value, step);
}

std::optional<double> MetricTallies::valueOf(const RunResult& result) const
{
    const MetricTally& tally = of(result.metric);
    if (result.isBest)
        return tally.hasFinite() ? std::optional(tally.best) : std::nullopt;
    return tally.seen ? std::optional(tally.final) : std::nullopt;
}

std::int64_t MetricTallies::bestStep() const
{
    for (const MetricId id : kJudgedBy)
        if (of(id).hasFinite())
            return of(id).bestStep;
    return 0;
}

std::int64_t LoggedProgress::peakBytes() const
{
    const MetricTally& peaks = tallies.of(MetricId::PeakBytes);
    // The tally consists of doubles, which are exact up to 2^53 bytes.
    return peaks.hasFinite() ? std::max<std::int64_t>(0, std::llround(peaks.max)) : 0;
}

} // namespace accrue
