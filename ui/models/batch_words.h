// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/resolved.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace accrue {

// Batch numbers in words, the same in the form and in the details of a run.

// "128 = 32 × 4" if all micro-batches are alike, with devices "256 = 32 × 4 × 2"; otherwise the
// rest is listed: "128 = 5 × 25 + 3".
QString batchSumText(const BatchPlan& plan);
// "42 × 3 + 2": how many slices of which size, in their order; the first group has a count even if
// it is one.
QString slicesText(const std::vector<std::int64_t>& slices);
// "469 updates an epoch, last of 96"
QString epochText(const EpochPlan& epoch);

} // namespace accrue
