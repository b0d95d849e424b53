// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/experiment.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace accrue {

// What the defects of published accumulation code (docs/published_systems.md) would do with the
// numbers of this plan, a sentence or two each. Where N follows a schedule, its largest N counts.
// Like explain (explanation.h).
std::vector<Message> publishedDefects(
    const Experiment& experiment, const BatchPlan& plan, std::optional<std::int64_t> samples);

} // namespace accrue
