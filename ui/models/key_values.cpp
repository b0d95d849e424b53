// SPDX-License-Identifier: Apache-2.0
#include "ui/models/key_values.h"

#include "ui/models/format.h"

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

constexpr double kFarApart = 50; // the highest value over the lowest
constexpr int kScaleColors = 13; // of the bar in a legend

} // namespace

std::vector<RunGroupKey::Value> distinctValues(const RunGroupKey& key)
{
    std::vector<RunGroupKey::Value> distinct;
    for (const RunGroupKey::Value& value : key.values)
        if (std::ranges::find(distinct, value) == distinct.end())
            distinct.push_back(value);
    std::ranges::stable_sort(distinct, [](const auto& one, const auto& other) {
        return one.number && other.number ? *one.number < *other.number : one.text < other.text;
    });
    return distinct;
}

QString valueText(const RunGroupKey::Value& value)
{
    return value.text.empty() ? Ui::tr("no value") : messageText(value.shown);
}

bool isNumeric(const RunGroupKey& key)
{
    return std::ranges::all_of(key.values,
        [](const RunGroupKey::Value& value) { return value.number || value.text.empty(); });
}

QColor valueColor(const std::vector<RunGroupKey::Value>& distinct, const RunGroupKey::Value& value,
    Background background)
{
    if (value.text.empty())
        return kNoValueColor;
    int index = 0;
    for (const RunGroupKey::Value& each : distinct) {
        if (each == value)
            break;
        index += each.text.empty() ? 0 : 1;
    }
    return seriesColor(index, background);
}

std::vector<QColor> scaleColors(Background background)
{
    std::vector<QColor> colors;
    colors.reserve(kScaleColors);
    for (int i = 0; i < kScaleColors; ++i)
        colors.push_back(shareColor(i / (kScaleColors - 1.0), background));
    return colors;
}

double ValueScale::shareOf(double value) const
{
    const double from = isLogarithmic ? std::log(low) : low;
    const double to = isLogarithmic ? std::log(high) : high;
    const double at = isLogarithmic ? std::log(value) : value;
    return to > from ? (at - from) / (to - from) : 0.5;
}

bool areFarApart(double low, double high)
{
    return low > 0 && high / low >= kFarApart;
}

} // namespace accrue
