// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"

namespace accrue {

// Warnings about what can run but seldom does what was meant. Pure; any thread.

// Part of `validate`. `plan` is that of `experiment`, whose settings are in range and whose norm
// fits its model.
Findings advise(const Experiment& experiment, const BatchPlan& plan);

// What a change of the batch asks of the learning rate, where that stayed as it was in `before`:
// the settings that were begun with. Let w be the weight of a sample's gradient in an update, 1/B
// for mean and 1/b for sum. sgd makes the same way an epoch where lr·w stays; adam and adamw do not
// see w, and the usual rate follows the square root of B. Nothing is said of changes below twofold,
// nor where batch.schedule or another optimizer makes the two incomparable.
Findings adviseOnRate(const Experiment& experiment, const Experiment& before);

} // namespace accrue
