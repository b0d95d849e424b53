// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <cstdint>

namespace accrue {

// How far a run is, in the units of a span.
struct RunProgress {
    double epochs = 0; // passes over the training set, with their fraction
    std::int64_t steps = 0;
    double seconds = 0; // training time
};

// Whether something that happens every span is due: `next` is where it is due next, in the span's
// unit, as a checkpoint stores it. If several spans have passed, it is due once.
bool isReached(const Span& every, double next, const RunProgress& progress);

// Where it is due next if it was done at `progress`, or, without progress, for the first time.
double nextDue(const Span& every, const RunProgress& progress = {});

} // namespace accrue
