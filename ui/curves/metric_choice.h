// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/run_comparison.h"
#include "engine/runs/run_record.h"
#include "ui/choices/choice_search.h"

#include <QString>

#include <set>
#include <string>
#include <vector>

namespace accrue {

// "Loss, each step", "Training loss, epoch mean": metrics of charts that are side by side.
QString curveTitle(const std::string& metric);

// The metrics of which these runs have values, or may have soon.
std::set<std::string> metricsOf(
    const std::vector<RunRecord>& runs, const std::vector<RunSummaries>& summaries);

// All metrics, by when they have a value; those that are not `available` cannot be chosen, and a
// section without any that is, is left out. Names of other programs are by their part before the
// first slash, as TensorBoard has them. `shown` are marked.
Choices metricChoices(
    const std::set<std::string>& available, const std::set<std::string>& shown = {});
QString metricSearch(); // what a panel of them is for

} // namespace accrue
