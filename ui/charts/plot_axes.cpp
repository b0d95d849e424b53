// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/plot_axes.h"

#include "ui/charts/axis_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

// A number has three forms: the value, the axis unit (on a logarithmic axis its decimal logarithm)
// and the pixel. Ranges, ticks and zoom are stored in axis units, so that only the conversion from
// and to a value depends on whether an axis is logarithmic.

namespace accrue {

namespace {

std::vector<double> roundTicks(const PlotAxis& axis, int wanted)
{
    const bool bytes = axis.ticks == PlotAxis::Ticks::Bytes;
    if (!axis.logarithmic)
        return (bytes ? byteTicks : niceTicks)(axis.low, axis.high, wanted);
    if (axis.ticks == PlotAxis::Ticks::Doubling)
        return logTwoTicks(axis.low, axis.high, wanted);
    return (bytes ? logByteTicks : logTicks)(axis.low, axis.high, wanted);
}

} // namespace

// NaN and not an error: losses of 0 and accuracies of 0 are normal, and leave a gap on a
// logarithmic axis.
double PlotAxis::axis(double value) const
{
    if (!logarithmic)
        return value;
    return value > 0 ? std::log10(value) : std::numeric_limits<double>::quiet_NaN();
}

double PlotAxis::value(double axis) const
{
    return logarithmic ? std::pow(10.0, axis) : axis;
}

std::vector<double> PlotAxis::ticksFor(int wanted) const
{
    if (!text)
        return {};
    const auto sameText = [this](double a, double b) { return textAt(a) == textAt(b); };
    std::vector<double> found = roundTicks(*this, wanted);
    // From step 0 to step 2 there is room for five ticks, but a formatter of whole numbers would
    // write 0, 1, 1, 2, 2.
    // Fewer ticks until no two neighbours have the same text.
    while (wanted > 1 && std::adjacent_find(found.begin(), found.end(), sameText) != found.end())
        found = roundTicks(*this, --wanted);
    return found;
}

void PlotAxes::setArea(const QRectF& area)
{
    x.first = area.left();
    x.last = area.right();
    y.first = area.bottom();
    y.last = area.top();
}

QPointF PlotAxes::pixelOf(double xValue, double yValue) const
{
    return { x.pixelOf(xValue), y.pixelOf(yValue) };
}

} // namespace accrue
