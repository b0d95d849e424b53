// SPDX-License-Identifier: Apache-2.0
#include "engine/training/span_due.h"

#include <cmath>

namespace accrue {
namespace {

// Fractions of an epoch do not add up exactly: 0.1 of 60,000 samples is 6000.000000000001 of them.
constexpr double kRounding = 1e-9;

} // namespace

SpanDue::SpanDue(const Span& every)
    : m_every(every)
    , m_next(every.count)
{
}

double SpanDue::along(const RunProgress& progress) const
{
    switch (m_every.unit) {
    case Span::Unit::Epochs:
        return progress.epochs;
    case Span::Unit::Steps:
        return static_cast<double>(progress.steps);
    case Span::Unit::Minutes:
        break;
    }
    return progress.seconds / 60;
}

bool SpanDue::reached(const RunProgress& progress) const
{
    return along(progress) >= m_next * (1 - kRounding);
}

void SpanDue::done(const RunProgress& progress)
{
    const double whole = std::floor(along(progress) / m_every.count * (1 + kRounding));
    m_next = (whole + 1) * m_every.count;
}

} // namespace accrue
