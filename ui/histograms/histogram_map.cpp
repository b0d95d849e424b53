// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/histogram_map.h"

#include "ui/histograms/histogram_shares.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace accrue {

namespace {

constexpr double kLeastShade = 0.1; // of what is not 0
constexpr int kRowHeight = 2; // pixels of the device: a single row would be too thin to be seen
constexpr std::size_t kShades = 256;
constexpr double kDecades = 4; // from the palest share to all

using Shades = std::array<QRgb, kShades>;

Shades shadesOf(const QColor& color, const QColor& ground)
{
    Shades shades {};
    for (std::size_t i = 0; i < kShades; ++i)
        shades[i] = shadeColor(static_cast<double>(i) / (kShades - 1), color, ground).rgb();
    return shades;
}

// From above to below, as an image has its rows.
std::vector<QRgb> rowsOf(
    const HistogramColumn& column, const PlotAxis& axis, std::size_t rows, const Shades& shades)
{
    const std::vector<double> shares = sharesIn(column.histogram, axis.low, axis.high, rows);
    const double perBin = static_cast<double>(rows) / kMapBins;
    std::vector<QRgb> colors(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        const double shade = shadeOf(shares[rows - 1 - row] * perBin);
        colors[row] = shades[static_cast<std::size_t>(std::lround(shade * (kShades - 1)))];
    }
    return colors;
}

// Where the columns end: in the middle between two steps; the last one is as wide on its right as
// on its left. Pixels.
std::vector<int> endsOf(const std::vector<HistogramColumn>& columns, const PlotAxis& x, int width)
{
    std::vector<int> ends;
    const auto pixel = [&](double step) {
        const double share = (x.axis(step) - x.low) / (x.high - x.low);
        return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width));
    };
    const auto step = [&](std::size_t i) { return static_cast<double>(columns[i].step); };
    for (std::size_t i = 0; i + 1 < columns.size(); ++i)
        ends.push_back(pixel((step(i) + step(i + 1)) / 2));
    const std::size_t last = columns.size() - 1;
    const double half = last > 0 ? (step(last) - step(last - 1)) / 2 : 0.5;
    ends.push_back(pixel(step(last) + half));
    return ends;
}

int beginOf(const std::vector<HistogramColumn>& columns, const PlotAxis& x, int width)
{
    const auto first = static_cast<double>(columns.front().step);
    const double half =
        columns.size() > 1 ? (static_cast<double>(columns[1].step) - first) / 2 : 0.5;
    const double share = (x.axis(first - half) - x.low) / (x.high - x.low);
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width));
}

// `line`: the pixels of the image, whose rows are without gaps.
void paintColumn(QRgb* line, const QSize& size, int from, int to, const std::vector<QRgb>& rows)
{
    for (int y = 0; y < size.height(); ++y, line += size.width())
        std::fill(line + from, line + to,
            rows[static_cast<std::size_t>(y) * rows.size()
                / static_cast<std::size_t>(size.height())]);
}

} // namespace

double shadeOf(double share)
{
    if (!(share > 0))
        return 0;
    const double decades = std::log10(share / kPalestShare) / kDecades;
    return kLeastShade + (1 - kLeastShade) * std::clamp(decades, 0.0, 1.0);
}

QColor shadeColor(double shade, const QColor& color, const QColor& ground)
{
    const auto mix = [shade](int full, int none) {
        return static_cast<int>(std::lround(none + shade * (full - none)));
    };
    return QColor(mix(color.red(), ground.red()), mix(color.green(), ground.green()),
        mix(color.blue(), ground.blue()));
}

QImage histogramMap(const std::vector<HistogramColumn>& columns, const PlotAxes& axes,
    const QSize& pixels, const QColor& color, const QColor& ground)
{
    QImage image(pixels.expandedTo({ 1, 1 }), QImage::Format_RGB32);
    image.fill(ground);
    if (columns.empty())
        return image;
    const Shades shades = shadesOf(color, ground);
    const auto rows = static_cast<std::size_t>(std::max(1, image.height() / kRowHeight));
    const std::vector<int> ends = endsOf(columns, axes.x, image.width());
    auto* const pixel = reinterpret_cast<QRgb*>(image.bits());
    int from = beginOf(columns, axes.x, image.width());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (ends[i] > from) // of steps that share a column of pixels, one is seen
            paintColumn(
                pixel, image.size(), from, ends[i], rowsOf(columns[i], axes.y, rows, shades));
        from = std::max(from, ends[i]);
    }
    return image;
}

} // namespace accrue
