// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <cmath>
#include <cstdint>

namespace accrue {

// How far a run is, in the units of a span.
struct RunProgress {
    double epochs = 0; // passes over the training set, with their fraction
    std::int64_t steps = 0;
    double seconds = 0; // training time

    double along(const Span& span) const
    {
        return span.unit == Span::Unit::Epochs ? epochs
            : span.unit == Span::Unit::Steps   ? static_cast<double>(steps)
                                               : seconds / 60;
    }
};

// Fractions of an epoch do not add up exactly: 0.1 of 60,000 samples is 6000.000000000001 of them.
inline constexpr double kSpanRounding = 1e-9;

// Whether something that happens every span is due: `next` is where it is due next, in the span's
// unit, as a checkpoint stores it. If several spans have passed, it is due once.
inline bool isReached(const Span& every, double next, const RunProgress& progress)
{
    return progress.along(every) >= next * (1 - kSpanRounding);
}

// Where it is due next if it was done at `progress`, or, without progress, for the first time. At
// the next whole multiple, not one span from now: an evaluation that was late does not move all
// later ones.
inline double nextDue(const Span& every, const RunProgress& progress = {})
{
    const double whole = std::floor(progress.along(every) / every.count * (1 + kSpanRounding));
    return (whole + 1) * every.count;
}

} // namespace accrue
