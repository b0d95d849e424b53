// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/chart_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accrue {
namespace {

constexpr int kSteps = 4; // between ticks
constexpr double kPadding = 0.04; // of the range, on both sides

// The least round multiple of a power of the base that is not below the value, and of which a
// fourth is round, too.
double roundedUp(double value, double base)
{
    const double power = std::pow(base, std::floor(std::log(value) / std::log(base) + 1e-9));
    const double decimal = std::pow(10, std::floor(std::log10(value / power)));
    for (const double factor : { 1.0, 1.2, 1.6, 2.0, 2.4, 3.2, 4.0, 6.0, 8.0 })
        if (value <= factor * decimal * power * (1 + 1e-9))
            return factor * decimal * power;
    return 10 * decimal * power;
}

// 1, 2 or 5 times a power of ten that is not below the value; of 1024, a power of two.
double roundStep(double value, double base)
{
    if (base != 10)
        return std::pow(2, std::ceil(std::log2(value) - 1e-9));
    const double power = std::pow(10, std::floor(std::log10(value) + 1e-9));
    for (const double factor : { 1.0, 2.0, 5.0 })
        if (value <= factor * power * (1 + 1e-9))
            return factor * power;
    return 10 * power;
}

std::vector<double> evenTicks(double low, double high, double base)
{
    const double step = roundStep((high - low) / (kSteps + 1), base);
    std::vector<double> ticks;
    for (double at = std::ceil(low / step - 1e-9); at * step <= high * (1 + 1e-12) + 1e-12 * step;
         ++at)
        ticks.push_back(at * step + 0.0); // never -0
    return ticks;
}

// Powers of ten; 2 and 5 times them, too, where there are few.
std::vector<double> logarithmicTicks(double low, double high)
{
    const double decades = std::log10(high / low);
    if (decades < 0.7)
        return evenTicks(low, high, 10);
    const double stride = std::max(1.0, std::ceil(decades / 6));
    std::vector<double> ticks;
    for (double exponent = std::floor(std::log10(low)); exponent <= std::log10(high);
         exponent += stride)
        for (const double factor : { 1.0, 2.0, 5.0 })
            if (const double tick = factor * std::pow(10, exponent); (factor == 1 || decades < 2)
                && tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9))
                ticks.push_back(tick);
    return ticks;
}

} // namespace

ChartScale::ChartScale(const ChartAxis& axis, const std::vector<double>& values)
    : m_axis(axis)
    , m_ticks(axis.ticks)
{
    std::vector<double> shown;
    std::copy_if(values.begin(), values.end(), std::back_inserter(shown),
        [this](double value) { return canShow(value); });
    shown.insert(shown.end(), axis.ticks.begin(), axis.ticks.end());
    chooseRange(shown);
    if (m_ticks.empty())
        chooseTicks();
}

bool ChartScale::canShow(double value) const
{
    // Beyond this, a difference of two values is no finite number.
    return std::abs(value) < std::numeric_limits<double>::max() / 4
        && (!m_axis.isLogarithmic || value > 0);
}

double ChartScale::placeOf(double value) const
{
    return m_axis.isLogarithmic ? std::log10(value) : value;
}

double ChartScale::shareOf(double value) const
{
    return (placeOf(value) - m_low) / (m_high - m_low);
}

void ChartScale::chooseRange(const std::vector<double>& shown)
{
    if (shown.empty()) {
        m_high = m_axis.isLogarithmic ? 0.5 : 1;
        return;
    }
    const auto [least, most] = std::minmax_element(shown.begin(), shown.end());
    m_low = placeOf(*least);
    m_high = placeOf(*most);
    if (m_axis.fromZero) {
        m_low = 0;
        m_high = m_high > 0 ? roundedUp(m_high, m_axis.base) : 1;
        return;
    }
    if (m_high <= m_low) {
        const double margin = m_axis.isLogarithmic ? 0.1 : std::abs(m_low) / 20;
        m_low -= margin > 0 ? margin : 1;
        m_high += margin > 0 ? margin : 1;
    }
    // Ticks that were given are the values themselves.
    const double padding = m_axis.ticks.empty() ? (m_high - m_low) * kPadding : 0;
    m_low -= padding;
    m_high += padding;
}

void ChartScale::chooseTicks()
{
    if (m_axis.fromZero) {
        for (int tick = 0; tick <= kSteps; ++tick)
            m_ticks.push_back(m_high * tick / kSteps);
        return;
    }
    m_ticks = m_axis.isLogarithmic ? logarithmicTicks(std::pow(10, m_low), std::pow(10, m_high))
                                   : evenTicks(m_low, m_high, m_axis.base);
}

} // namespace accrue
