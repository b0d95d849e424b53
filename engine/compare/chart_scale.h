// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/chart_panel.h"

#include <vector>

namespace accrue {

// From the values of an axis to places on it. A value; pure.
class ChartScale {
public:
    // `values` are those that are drawn on it; some may not be finite.
    ChartScale(const ChartAxis& axis, const std::vector<double>& values);

    bool canShow(double value) const; // finite, and above 0 on a logarithmic axis
    double shareOf(double value) const; // 0 at the low end, 1 at the high end
    const std::vector<double>& ticks() const { return m_ticks; }

private:
    double placeOf(double value) const;
    void chooseRange(const std::vector<double>& shown);
    void chooseTicks();

    ChartAxis m_axis;
    double m_low = 0; // as placeOf
    double m_high = 1;
    std::vector<double> m_ticks;
};

} // namespace accrue
