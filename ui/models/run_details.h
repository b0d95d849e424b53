// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QString>

#include <utility>
#include <vector>

namespace accrue {

// Everything the log knows about a run that is not a series, in the order in which a person asks:
// how it ended, results, plan, settings, what it ran on. Pure.
struct DetailSection {
    QString title;
    std::vector<std::pair<QString, QString>> rows;
};
std::vector<DetailSection> detailsOf(const RunRecord& run);

} // namespace accrue
