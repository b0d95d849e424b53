// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/group_summary.h"
#include "engine/compare/run_looks.h"
#include "engine/compare/svg_chart.h"
#include "engine/report/run_comparison.h"
#include "engine/runlog/run_log_reader.h"

#include <functional>
#include <string>
#include <vector>

namespace accrue {

// What a report shows of some runs of a log.
struct ReportCurves {
    MetricInfo metric;
    std::vector<std::vector<SeriesPoint>> ofRuns; // against the step, thinned; in their order
};

struct ReportContent {
    RunComparison comparison;
    GroupSummary summary;
    std::vector<ReportCurves> curves; // of metrics that have a curve, results first
    std::string file; // the log
    std::int64_t madeMs = 0; // Unix time
};

// False: the work should end; the content is then incomplete.
using ReportProgress = std::function<bool(double share)>;
// Blocks. Throws RunLogError, and InputError as summarize does.
ReportContent readReport(RunLogReader& log, const std::vector<RunRecord>& runs,
    const SummaryRequest& request, const ReportProgress& progress = {});

// How the runs look: those of one group alike if some group has several, otherwise each by itself.
struct ReportLooks {
    bool byGroup = false;
    std::vector<RunLook> ofRuns;
    std::vector<std::size_t> groupOf; // of each run
};
ReportLooks reportLooks(const ReportContent& content);

// The curves of a metric as a chart. If runs of a group have values at the same steps, which
// evaluations have, their mean with its 95 % interval is drawn, and they are faint. On a
// logarithmic axis if a number that should be low has fallen far.
ChartPanel chartOf(
    const ReportCurves& curves, const ReportContent& content, const ReportLooks& looks);

// "#12 lenet5"
std::string reportName(const RunRecord& run);

} // namespace accrue
