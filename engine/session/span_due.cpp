// SPDX-License-Identifier: Apache-2.0
#include "engine/session/span_due.h"

#include <cmath>

namespace accrue {
namespace {

// Fractions of an epoch do not add up exactly: 0.1 of 60,000 samples is 6000.000000000001 of them.
constexpr double kRounding = 1e-9;

double along(const Span& span, const RunProgress& progress)
{
    return span.unit == Span::Unit::Epochs ? progress.epochs
        : span.unit == Span::Unit::Steps   ? static_cast<double>(progress.steps)
                                           : progress.seconds / 60;
}

} // namespace

bool isReached(const Span& every, double next, const RunProgress& progress)
{
    return along(every, progress) >= next * (1 - kRounding);
}

// At the next whole multiple, not one span from now: an evaluation that was late does not move all
// later ones.
double nextDue(const Span& every, const RunProgress& progress)
{
    const double whole = std::floor(along(every, progress) / every.count * (1 + kRounding));
    return (whole + 1) * every.count;
}

} // namespace accrue
