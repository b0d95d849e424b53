// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_resize.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace accrue {
namespace {

// The source of one target pixel along one axis: weights that add up to 1, from `first` on.
struct Taps {
    std::int64_t first = 0;
    std::vector<double> weights;
};

// The position of a picture in the frame along one axis.
struct Axis {
    std::int64_t from = 0; // pixels of the picture
    std::int64_t scaled = 0; // pixels after scaling
    std::int64_t cut = 0; // of these, left out before the first one that is used
    std::int64_t kept = 0;
    std::int64_t before = 0; // pixels of the frame before the first

    bool isWhole(std::int64_t length) const { return from == scaled && scaled == length; }
};

// Target pixel i covers the source around (i + 1/2) · scale; a source pixel j weighs
// 1 − |j + 1/2 − middle| / reach, reach = max(scale, 1).
std::vector<Taps> tapsOf(const Axis& axis)
{
    const std::int64_t from = axis.from;
    const double scale = static_cast<double>(from) / static_cast<double>(axis.scaled);
    const double reach = std::max(scale, 1.0);
    std::vector<Taps> all(static_cast<std::size_t>(axis.kept));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double middle =
            (static_cast<double>(axis.cut) + static_cast<double>(i) + 0.5) * scale;
        // Source pixels whose centre is within the reach.
        const double low = std::ceil(middle - reach - 0.5);
        const double high = std::ceil(middle + reach - 0.5);
        const auto first = static_cast<std::int64_t>(std::max(low, 0.0));
        const auto end = std::min(static_cast<std::int64_t>(high), from);
        double sum = 0;
        all[i].first = first;
        for (std::int64_t j = first; j < end; ++j) {
            const double distance = std::abs(static_cast<double>(j) + 0.5 - middle) / reach;
            all[i].weights.push_back(std::max(1 - distance, 0.0));
            sum += all[i].weights.back();
        }
        // At a border a part of the triangle is outside.
        for (double& weight : all[i].weights)
            weight /= sum;
    }
    return all;
}

// Of values that are `step` apart.
template <typename Value>
double weightedSum(const std::vector<double>& weights, const Value* from, std::int64_t step)
{
    double sum = 0;
    for (const double weight : weights) {
        sum += weight * *from;
        from += step;
    }
    return sum;
}

// One channel, squeezed along x: image.height rows of as many values as there are taps. The
// triangle in two dimensions is a product of one along each axis, so a picture is squeezed along x
// first and then along y, at the cost of the sum of both reaches instead of their product.
std::vector<double> squeezedRows(
    const Image& image, std::int64_t channel, const std::vector<Taps>& columns)
{
    std::vector<double> rows;
    rows.reserve(static_cast<std::size_t>(image.height) * columns.size());
    for (std::int64_t y = 0; y < image.height; ++y)
        for (const Taps& taps : columns) {
            const std::uint8_t* from =
                image.pixels.data() + (y * image.width + taps.first) * image.channels + channel;
            rows.push_back(weightedSum(taps.weights, from, image.channels));
        }
    return rows;
}

std::uint8_t rounded(double value)
{
    return static_cast<std::uint8_t>(std::clamp(value + 0.5, 0.0, 255.0));
}

// `scaled` pixels in a frame of `length`.
Axis placed(std::int64_t from, std::int64_t scaled, std::int64_t length)
{
    Axis axis { from, scaled, 0, std::min(scaled, length), 0 };
    if (scaled > length) // half to even, as torchvision's CenterCrop
        axis.cut = std::llrint(static_cast<double>(scaled - length) / 2);
    else
        axis.before = (length - scaled) / 2;
    return axis;
}

// The side that preserves the aspect ratio with `length` pixels of `of`.
std::int64_t sideFor(PictureFit fit, std::int64_t side, std::int64_t length, std::int64_t of)
{
    return fit == PictureFit::Crop ? side * length / of
                                   : std::max<std::int64_t>((2 * side * length + of) / (2 * of), 1);
}

// Along y and along x.
std::pair<Axis, Axis> placementOf(const Image& image, const PictureFrame& frame)
{
    std::int64_t height = frame.height;
    std::int64_t width = frame.width;
    const bool isWider = image.width * frame.height > image.height * frame.width;
    if (frame.fit != PictureFit::Stretch) {
        // A crop cuts off the longer side, a letterbox fills up the shorter one.
        if (isWider == (frame.fit == PictureFit::Crop))
            width = sideFor(frame.fit, image.width, frame.height, image.height);
        else
            height = sideFor(frame.fit, image.height, frame.width, image.width);
    }
    return { placed(image.height, height, frame.height), placed(image.width, width, frame.width) };
}

void resizeChannel(const Image& image, std::int64_t channel, const std::vector<Taps>& lines,
    const std::vector<Taps>& columns, std::uint8_t* to, std::int64_t stride)
{
    const std::vector<double> rows = squeezedRows(image, channel, columns);
    const auto width = static_cast<std::int64_t>(columns.size());
    for (const Taps& taps : lines) {
        for (std::size_t x = 0; x < columns.size(); ++x) {
            const double* from = rows.data() + taps.first * width + static_cast<std::int64_t>(x);
            to[x] = rounded(weightedSum(taps.weights, from, width));
        }
        to += stride;
    }
}

void copyChannel(const Image& image, std::int64_t channel, std::uint8_t* to)
{
    const std::uint8_t* from = image.pixels.data() + channel;
    for (std::int64_t pixel = 0; pixel < image.height * image.width; ++pixel)
        to[pixel] = from[pixel * image.channels];
}

} // namespace

void writePlanes(const Image& image, const PictureFrame& frame, std::uint8_t* to)
{
    const auto [y, x] = placementOf(image, frame);
    const bool fits = y.isWhole(frame.height) && x.isWhole(frame.width);
    const std::vector<Taps> lines = fits ? std::vector<Taps>() : tapsOf(y);
    const std::vector<Taps> columns = fits ? std::vector<Taps>() : tapsOf(x);
    const std::int64_t plane = frame.height * frame.width;
    if (y.kept < frame.height || x.kept < frame.width)
        std::fill(to, to + frame.pixels(), kLetterboxGrey);
    for (std::int64_t channel = 0; channel < frame.channels; ++channel) {
        std::uint8_t* at = to + channel * plane;
        if (channel >= image.channels)
            std::copy(to, to + plane, at);
        else if (fits)
            copyChannel(image, channel, at);
        else
            resizeChannel(image, channel, lines, columns, at + y.before * frame.width + x.before,
                frame.width);
    }
}

} // namespace accrue
