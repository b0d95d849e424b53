// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/run_comparison.h"
#include "engine/runs/run_record.h"

#include <QString>

#include <functional>
#include <set>
#include <string>
#include <vector>

class QMenu;

namespace accrue {

// "Loss, each step", "Training loss, epoch mean": metrics of charts that are side by side.
QString curveTitle(const std::string& metric);

// The metrics of which these runs have values, or may have soon.
std::set<std::string> metricsOf(
    const std::vector<RunRecord>& runs, const std::vector<RunSummaries>& summaries);

// All metrics, by when they have a value; those that are not `available` are disabled.
void fillMetricMenu(QMenu& menu, const std::set<std::string>& available,
    const std::function<void(const std::string& metric)>& chosen);

} // namespace accrue
