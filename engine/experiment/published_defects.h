// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/experiment.h"

#include <cstdint>
#include <vector>

namespace accrue {

// What the defects of published accumulation code (docs/published_systems.md) would do with the
// numbers of this plan, a sentence or two each. Where N follows a schedule, its largest N counts.
// `samples` are those of an epoch, 0 where they are not known. Like explain (explanation.h).
std::vector<Message> publishedDefects(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples);

} // namespace accrue
