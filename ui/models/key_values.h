// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/run_groups.h"
#include "ui/models/run_palette.h"

#include <QColor>
#include <QString>

#include <vector>

namespace accrue {

// The values of a key of compared runs, as colours and lines show them. All functions are pure.

// Each once, numbers ascending, texts in their order: the same for the same runs in any order.
std::vector<RunGroupKey::Value> distinctValues(const RunGroupKey& key);
QString valueText(const RunGroupKey::Value& value); // "b = 32", "GroupNorm", "no value"
bool isNumeric(const RunGroupKey& key); // as far as the runs have values
inline const QColor kNoValueColor(0x88, 0x88, 0x88);
// One of few values: `distinct` are those of distinctValues().
QColor valueColor(const std::vector<RunGroupKey::Value>& distinct, const RunGroupKey::Value& value,
    Background background);

// Where values are on a scale of colours, from its lowest to its highest.
struct ValueScale {
    double low = 0;
    double high = 1;
    bool isLogarithmic = false;

    double shareOf(double value) const; // 0 to 1
};
std::vector<QColor> scaleColors(Background background); // from low to high
// Values above 0 of which the highest is many times the lowest: a logarithm separates them.
bool areFarApart(double low, double high);

} // namespace accrue
