// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_resize.h"

#include <algorithm>
#include <cmath>

namespace accrue {
namespace {

// Where one target pixel comes from along one axis: weights that add up to 1, from `first` on.
struct Taps {
    std::int64_t first = 0;
    std::vector<double> weights;
};

// Target pixel i covers the source around (i + 1/2) · scale; a source pixel j weighs
// 1 − |j + 1/2 − middle| / reach, reach = max(scale, 1).
std::vector<Taps> tapsOf(std::int64_t from, std::int64_t to)
{
    const double scale = static_cast<double>(from) / static_cast<double>(to);
    const double reach = std::max(scale, 1.0);
    std::vector<Taps> all(static_cast<std::size_t>(to));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double middle = (static_cast<double>(i) + 0.5) * scale;
        // Source pixels whose middle lies within the reach.
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
        for (double& weight : all[i].weights)
            weight /= sum;
    }
    return all;
}

// One channel, squeezed along x: image.height rows of as many values as there are taps.
std::vector<double> squeezedRows(
    const Image& image, std::int64_t channel, const std::vector<Taps>& columns)
{
    std::vector<double> rows;
    rows.reserve(static_cast<std::size_t>(image.height) * columns.size());
    for (std::int64_t y = 0; y < image.height; ++y)
        for (const Taps& taps : columns) {
            const std::uint8_t* from =
                image.pixels.data() + (y * image.width + taps.first) * image.channels + channel;
            double value = 0;
            for (const double weight : taps.weights) {
                value += weight * *from;
                from += image.channels;
            }
            rows.push_back(value);
        }
    return rows;
}

std::uint8_t rounded(double value)
{
    return static_cast<std::uint8_t>(std::clamp(value + 0.5, 0.0, 255.0));
}

void resizeChannel(const Image& image, std::int64_t channel, const std::vector<Taps>& lines,
    const std::vector<Taps>& columns, std::uint8_t* to)
{
    const std::vector<double> rows = squeezedRows(image, channel, columns);
    for (const Taps& taps : lines)
        for (std::size_t x = 0; x < columns.size(); ++x) {
            const double* from =
                rows.data() + static_cast<std::size_t>(taps.first) * columns.size() + x;
            double value = 0;
            for (const double weight : taps.weights) {
                value += weight * *from;
                from += columns.size();
            }
            *to++ = rounded(value);
        }
}

void copyChannel(const Image& image, std::int64_t channel, std::uint8_t* to)
{
    const std::uint8_t* from = image.pixels.data() + channel;
    for (std::int64_t pixel = 0; pixel < image.height * image.width; ++pixel)
        to[pixel] = from[pixel * image.channels];
}

} // namespace

void writePlanes(const Image& image, std::int64_t channels, std::int64_t height, std::int64_t width,
    std::uint8_t* to)
{
    const bool fits = image.height == height && image.width == width;
    const std::vector<Taps> lines = fits ? std::vector<Taps>() : tapsOf(image.height, height);
    const std::vector<Taps> columns = fits ? std::vector<Taps>() : tapsOf(image.width, width);
    for (std::int64_t channel = 0; channel < channels; ++channel) {
        std::uint8_t* plane = to + channel * height * width;
        if (channel >= image.channels)
            std::copy(to, to + height * width, plane);
        else if (fits)
            copyChannel(image, channel, plane);
        else
            resizeChannel(image, channel, lines, columns, plane);
    }
}

} // namespace accrue
