// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_palette.h"

#include "engine/compare/run_looks.h"

#include <array>
#include <cstddef>

namespace accrue {

namespace {

constexpr std::array<Qt::PenStyle, kLineKinds> kLines { Qt::SolidLine, Qt::DashLine, Qt::DotLine,
    Qt::DashDotLine };

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

} // namespace accrue
