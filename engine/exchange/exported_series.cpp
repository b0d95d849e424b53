// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/exported_series.h"

#include <cstddef>
#include <set>
#include <string>

namespace accrue {

std::vector<MetricInfo> summarisedMetrics(RunLogReader& log, const std::vector<RunId>& runs)
{
    std::set<std::string> names;
    for (const RunId run : runs)
        try {
            for (const MetricSummary& summary : log.summaries(run))
                names.insert(summary.metric);
        } catch (const RunLogError&) {
            continue;
        }
    return metricsBeside(names);
}

std::vector<MetricInfo> seriesOf(RunLogReader& log, RunId run)
{
    std::vector<MetricInfo> written = summarisedMetrics(log, { run });
    written.insert(written.begin() + static_cast<std::ptrdiff_t>(metrics().size()),
        tracedMetrics().begin(), tracedMetrics().end());
    return written;
}

} // namespace accrue
