// SPDX-License-Identifier: Apache-2.0
#include "engine/data/pixel_normalization.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace accrue {
namespace {

using Histogram = std::array<std::int64_t, 256>; // samples of each pixel value

std::vector<Histogram> histogramsOf(const RawSplit& split)
{
    std::vector<Histogram> seen(static_cast<std::size_t>(split.channels));
    const std::int64_t plane = split.height * split.width;
    const std::uint8_t* pixel = split.images.data();
    for (std::int64_t i = 0; i < split.samples; ++i)
        for (Histogram& channel : seen)
            for (const std::uint8_t* end = pixel + plane; pixel != end; ++pixel)
                ++channel[*pixel];
    return seen;
}

[[noreturn]] void throwOnePixel(const std::filesystem::path& where, std::size_t channel,
    std::size_t channels, std::size_t pixel)
{
    const std::string which = channels == 1 ? "" : " of channel " + std::to_string(channel + 1);
    throw DataError(where.string() + " cannot be normalised: all its pixels" + which + " are "
        + std::to_string(pixel) + ". Get the file again.");
}

void measure(RawData& data, const std::filesystem::path& where)
{
    data.mean.clear();
    data.stddev.clear();
    const std::vector<Histogram> histograms = histogramsOf(data.train);
    for (std::size_t channel = 0; channel < histograms.size(); ++channel) {
        const Histogram& seen = histograms[channel];
        double count = 0;
        double sum = 0;
        double squares = 0;
        for (std::size_t value = 0; value < seen.size(); ++value) {
            const auto times = static_cast<double>(seen[value]);
            const auto pixel = static_cast<double>(value);
            count += times;
            sum += pixel * times;
            squares += pixel * pixel * times;
        }
        if (const auto most = std::max_element(seen.begin(), seen.end());
            static_cast<double>(*most) == count)
            throwOnePixel(
                where, channel, histograms.size(), static_cast<std::size_t>(most - seen.begin()));
        const double mean = sum / count;
        data.mean.push_back(mean / 255);
        data.stddev.push_back(std::sqrt(squares / count - mean * mean) / 255);
    }
}

void takeGiven(RawData& data, const Normalization& given)
{
    const auto channels = static_cast<std::size_t>(data.train.channels);
    if (given.mean.size() != channels)
        throw DataError("data.normalize has " + std::to_string(given.mean.size())
            + " values each, but the pictures have " + std::to_string(channels)
            + (channels == 1 ? " channel" : " channels") + ": give one value a channel.");
    data.mean = given.mean;
    data.stddev = given.stddev;
}

} // namespace

void normalize(RawData& data, const Normalization& settings, const std::filesystem::path& where)
{
    using Kind = Normalization::Kind;
    const bool published = !data.mean.empty();
    if (settings.kind == Kind::Given)
        takeGiven(data, settings);
    else if (settings.kind == Kind::Published && !published)
        throw DataError("data.normalize is \"published\", but nothing is published for " + data.name
            + ": use auto, measured or {mean, std}.");
    else if (settings.kind == Kind::Measured || !published)
        measure(data, where);
}

} // namespace accrue
