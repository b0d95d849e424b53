// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_palette.h"

#include "engine/compare/run_looks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace accrue {

namespace {

constexpr std::array<Qt::PenStyle, kLineKinds> kLines { Qt::SolidLine, Qt::DashLine, Qt::DotLine,
    Qt::DashDotLine };

// The part of matplotlib's "plasma" that has a contrast of at least 3:1 there.
constexpr std::array<QRgb, 7> kSharesOnLight { 0x0d0887, 0x41049d, 0x6a00a8, 0x8f0da4, 0xb12a90,
    0xcc4778, 0xe16462 };
constexpr std::array<QRgb, 7> kSharesOnDark { 0xcc4778, 0xd9586a, 0xe56b5d, 0xf0804e, 0xfca636,
    0xfcce25, 0xf0f921 };

QColor hue(std::size_t index, Background background)
{
    const SeriesHue& found = kSeriesHues.at(index % kSeriesHues.size());
    return QColor::fromRgb(background == Background::Dark ? found.onDark : found.onLight);
}

RunStyle styleOf(const RunLook& look, Background background)
{
    return { hue(look.hue, background), kLines.at(static_cast<std::size_t>(look.line)) };
}

} // namespace

Background backgroundOf(const QPalette& palette)
{
    // By the background of lists and charts, not by the theme's name: a desktop may have set any
    // palette.
    return palette.color(QPalette::Base).lightness() < 128 ? Background::Dark : Background::Light;
}

RunStyle styleOf(RunId run, Background background)
{
    return styleOf(lookOf(run), background);
}

std::vector<RunStyle> stylesOf(const std::vector<RunRecord>& runs, Background background)
{
    std::vector<RunId> ids;
    ids.reserve(runs.size());
    for (const RunRecord& run : runs)
        ids.push_back(run.id);
    std::vector<RunStyle> styles;
    for (const RunLook& look : looksOf(ids))
        styles.push_back(styleOf(look, background));
    return styles;
}

QColor seriesColor(int index, Background background)
{
    return hue(static_cast<std::size_t>(index < 0 ? 0 : index), background);
}

Qt::PenStyle seriesLine(std::size_t index)
{
    return kLines.at(index % kLines.size());
}

QColor shareColor(double share, Background background)
{
    const auto& stops = background == Background::Dark ? kSharesOnDark : kSharesOnLight;
    const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(at), stops.size() - 2);
    const double above = at - static_cast<double>(below);
    const QColor from(stops.at(below));
    const QColor to(stops.at(below + 1));
    const auto mix = [above](int one, int other) {
        return static_cast<int>(std::lround(one + above * (other - one)));
    };
    return { mix(from.red(), to.red()), mix(from.green(), to.green()),
        mix(from.blue(), to.blue()) };
}

} // namespace accrue
