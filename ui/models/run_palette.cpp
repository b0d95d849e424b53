// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_palette.h"

#include <array>

namespace accrue {

namespace {

// Okabe and Ito's hues in an order that sets neighbours apart. Their yellow, orange and sky blue
// are darkened for a light ground and their blue and green lightened for a dark one, so that
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

QColor hue(std::size_t index, Background background)
{
    const Hue& found = kHues.at(index % kHues.size());
    return QColor::fromRgb(background == Background::Dark ? found.onDark : found.onLight);
}

} // namespace

Background backgroundOf(const QPalette& palette)
{
    return palette.color(QPalette::Base).lightness() < 128 ? Background::Dark : Background::Light;
}

RunStyle styleOf(RunId run, Background background)
{
    // Ids begin at 1.
    const auto index = static_cast<std::size_t>(numberOf(run) > 0 ? numberOf(run) - 1 : 0);
    return { hue(index, background), (index / kHues.size()) % 2 == 1 };
}

QColor seriesColor(int index, Background background)
{
    return hue(static_cast<std::size_t>(index < 0 ? 0 : index), background);
}

} // namespace accrue
