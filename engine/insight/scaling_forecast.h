// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/insight/scaling_law.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace accrue {

// A prediction, and the range in which it is with a probability of 95 %.
struct ScalingRange {
    double value = 0;
    double least = 0;
    double most = 0;
};

// The fewest accumulation steps that reach an efficiency; empty: no number does.
struct StepsRange {
    std::optional<std::int64_t> value {};
    std::optional<std::int64_t> least {};
    std::optional<std::int64_t> most {};
};

// What a law predicts of points that were not measured. The ranges are those of the fit alone, by
// the parametric bootstrap (Efron and Tibshirani 1993, section 6.5): the law is fitted again to
// points that it makes itself, with errors as large as those of the measured ones. They do not
// contain what is different on other machines.
class ScalingForecast {
public:
    // Empty if the points determine no law. Takes some tenths of a second for a hundred points.
    static std::optional<ScalingForecast> of(const std::vector<ScalingPoint>& points);

    const ScalingLaw& law() const { return m_law; }
    // A link that was not measured, with constants that are taken for granted: ranges have nothing
    // of it. Returns its number.
    std::size_t addLink(const LinkConstants& constants);
    ScalingRange efficiencyAt(const ScalingPoint& wanted) const;
    // point.steps is of no interest.
    StepsRange stepsFor(const ScalingPoint& point, double efficiency) const;

private:
    ScalingForecast() = default;

    ScalingLaw m_law;
    std::vector<ScalingLaw> m_others {}; // of the points that the law has made
};

// The fewest N that reach the efficiency, whatever it is: T is a straight line of N, so the
// efficiency rises or falls with N, but does not do both. Empty: none up to a million does.
std::optional<std::int64_t> stepsForEfficiency(
    const ScalingLaw& law, ScalingPoint point, double efficiency);

} // namespace accrue
