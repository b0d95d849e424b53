// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"
#include "ui/curves/mean_curve.h"
#include "ui/curves/run_styling.h"

#include <QJsonObject>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace accrue {

// What the x axis of all charts is: how far a run has come, or another metric.
struct GridAxis {
    Axis axis = Axis::Step;
    std::string metric {}; // empty: the axis
    bool operator==(const GridAxis&) const = default;
};

struct TileSettings {
    std::string metric;
    bool logY = false;
    bool ignoresOutliers = false;
    std::optional<int> smoothing {}; // of its own, as GridSettings'; empty: that of all
    bool operator==(const TileSettings&) const = default;
};

// A grid of charts as a person has set it up; stored with each log, and under names.
struct GridSettings {
    std::vector<TileSettings> tiles;
    GridAxis x;
    bool logX = false;
    int smoothing = 0; // of the slider, 0 to 99
    MeanBand band = MeanBand::Interval;
    bool operator==(const GridSettings&) const = default;

    // More would be slow to draw and to read.
    static constexpr int kMostTiles = 48;
    static GridSettings usual(); // loss, test accuracy, peak memory, throughput
};

// A grid under a name, with what tells its runs apart.
struct CurveView {
    GridSettings grid;
    // Empty: a view of an earlier version, which leaves groups, colours and lines as they are.
    std::optional<RunDistinction> runs {};
    bool operator==(const CurveView&) const = default;
};

// The slider's upper half has smaller steps than its lower one: there the weight matters.
double smoothingWeight(int slider);

QJsonObject jsonOf(const GridSettings& settings);
// Empty: the text is of something else.
std::optional<GridSettings> gridSettingsOf(const QJsonObject& json);
QJsonObject jsonOf(const CurveView& view);
std::optional<CurveView> curveViewOf(const QJsonObject& json);

} // namespace accrue
