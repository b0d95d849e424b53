// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QString>

#include <utility>
#include <vector>

namespace accrue {

// Everything that the log knows about a run except its series, in the order in which a reader looks
// for it: how it ended, results, plan, settings, device. Pure.
struct DetailSection {
    QString title;
    std::vector<std::pair<QString, QString>> rows;
};
std::vector<DetailSection> detailsOf(const RunRecord& run);

} // namespace accrue
