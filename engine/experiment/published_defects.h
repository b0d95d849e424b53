// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/experiment.h"

#include <cstdint>
#include <vector>

namespace accrue {

// The effect that the defects of published accumulation code (docs/published_systems.md) would have
// with the numbers of this plan, a sentence or two each. If N follows a schedule, its largest N
// counts. `samples` are those of an epoch, 0 if unknown. Like explain (explanation.h).
std::vector<Message> publishedDefects(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples);

} // namespace accrue
