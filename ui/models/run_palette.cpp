// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_palette.h"

#include <algorithm>
#include <array>
#include <optional>

namespace accrue {

namespace {

// Okabe and Ito's hues in an order that separates similar ones. Their yellow, orange and sky blue
// are darkened for a light background and their blue and green lightened for a dark one, so that
// each has a contrast of at least 3:1 there.
struct Hue {
    QRgb onLight;
    QRgb onDark;
};
constexpr std::array<Hue, 7> kHues { {
    { 0xff00589c, 0xff4a8fe0 }, // blue
    { 0xffd55e00, 0xffe8743b }, // vermilion
    { 0xff008a65, 0xff19b58a }, // bluish green
    { 0xffb8568f, 0xffd68cb8 }, // reddish purple
    { 0xffb87a00, 0xffe69f00 }, // orange
    { 0xff3d9ad1, 0xff9fdcff }, // sky blue
    { 0xff8f8500, 0xfff0e442 }, // yellow
} };

constexpr std::array kLines { Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine };
constexpr std::size_t kLooks = kHues.size() * kLines.size();

QColor hue(std::size_t index, Background background)
{
    const Hue& found = kHues.at(index % kHues.size());
    return QColor::fromRgb(background == Background::Dark ? found.onDark : found.onLight);
}

RunStyle look(std::size_t index, Background background)
{
    return { hue(index, background), kLines.at(index / kHues.size() % kLines.size()) };
}

// Ids begin at 1.
std::size_t lookOf(RunId run)
{
    return static_cast<std::size_t>(std::max<std::int64_t>(numberOf(run), 1) - 1) % kLooks;
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
    return look(lookOf(run), background);
}

// A run keeps its own look if it can, so that it looks the same in the table and in a comparison;
// only a later run whose look is already used gets another one. All own looks are assigned first,
// because a run that moves must not get the own look of a later one.
std::vector<RunStyle> stylesOf(const std::vector<RunRecord>& runs, Background background)
{
    std::vector<RunStyle> styles;
    std::array<std::optional<RunId>, kLooks> taken {};
    for (const RunRecord& run : runs)
        // The first of several runs with the same own look keeps it.
        if (!taken.at(lookOf(run.id)))
            taken.at(lookOf(run.id)) = run.id;
    for (const RunRecord& run : runs) {
        std::size_t free = lookOf(run.id);
        const auto mayTake = [&] { return !taken.at(free) || taken.at(free) == run.id; };
        for (std::size_t i = 1; i <= kLooks && !mayTake(); ++i) {
            free = (free + kHues.size()) % kLooks;
            if (i % kLines.size() == 0) // all lines of this hue
                free = (free + 1) % kLooks;
        }
        taken.at(free) = run.id;
        styles.push_back(look(free, background));
    }
    return styles;
}

QColor seriesColor(int index, Background background)
{
    return hue(static_cast<std::size_t>(index < 0 ? 0 : index), background);
}

} // namespace accrue
