// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace accrue {

// How runs and series look, in the window and in every picture: seven hues in four kinds of lines.

// 0xRRGGBB. Okabe and Ito's hues, which can be told apart with any colour vision, in an order that
// separates similar ones. Their yellow, orange and sky blue are darkened for a light background and
// their blue and green lightened for a dark one, so that each has a contrast of at least 3:1 there.
struct SeriesHue {
    std::uint32_t onLight;
    std::uint32_t onDark;
};
inline constexpr std::array<SeriesHue, 7> kSeriesHues { {
    { 0x00589c, 0x4a8fe0 }, // blue
    { 0xd55e00, 0xe8743b }, // vermilion
    { 0x008a65, 0x19b58a }, // bluish green
    { 0xb8568f, 0xd68cb8 }, // reddish purple
    { 0xb87a00, 0xe69f00 }, // orange
    { 0x3d9ad1, 0x9fdcff }, // sky blue
    { 0x8f8500, 0xf0e442 }, // yellow
} };

enum class LineKind { Solid, Dashed, Dotted, DashDotted };
inline constexpr std::size_t kLineKinds = 4;

struct RunLook {
    std::size_t hue = 0; // of kSeriesHues
    LineKind line = LineKind::Solid;
    friend bool operator==(const RunLook&, const RunLook&) = default;
};
// Of the series with that number, from 0: all hues, then again in the next kind of line.
RunLook lookOfSeries(std::size_t index);
// Of a run: a function of the id alone, so it never changes.
RunLook lookOf(RunId run);
// For runs that are shown together: if two would look alike, the later one gets the next unused
// look; other lines of the same hue come before other hues.
std::vector<RunLook> looksOf(const std::vector<RunId>& runs);

} // namespace accrue
