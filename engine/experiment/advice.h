// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/finding.h"
#include "engine/experiment/resolved.h"

namespace accrue {

// Warnings about settings that can be trained but are seldom intended. Pure; any thread.

// Part of `validate`. `plan` is that of `experiment`, whose settings are in range and whose norm
// fits its model.
Findings advise(const Experiment& experiment, const BatchPlan& plan);

// The effect of a changed batch on a learning rate that is still the one of `before`, the settings
// that the user started from. Let w be the weight of a sample's gradient in an update, 1/B for mean
// and 1/b for sum. sgd covers the same distance per epoch if lr·w is the same; an optimizer that
// normalizes the gradient does not depend on w, and its usual rate follows the square root of B.
// There is no advice on changes below twofold, nor if batch.schedule or another optimizer makes the
// two incomparable.
Findings adviseOnRate(const ResolvedExperiment& now, const ResolvedExperiment& before);

} // namespace accrue
