// SPDX-License-Identifier: Apache-2.0
#include "engine/data/pixel_normalization.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace accrue {
namespace {

using Histogram = std::array<std::int64_t, 256>; // samples of each pixel value

// Counts of the 256 values make mean and deviation exact: sums of millions of floats would depend
// on their order.
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

void measure(RawData& data, const std::filesystem::path& where)
{
    data.mean.clear();
    data.stddev.clear();
    const std::vector<Histogram> histograms = histogramsOf(data.train);
    for (std::size_t channel = 0; channel < histograms.size(); ++channel) {
        const Histogram& seen = histograms[channel];
        // Sums of whole numbers, which a double represents exactly up to 2^53: for 8 GiB of pixels
        // the squares reach a sixteenth of that.
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
            throwOnePixel(where, static_cast<std::uint8_t>(most - seen.begin()),
                histograms.size() == 1 ? 0 : static_cast<int>(channel) + 1);
        const double mean = sum / count;
        data.mean.push_back(mean / 255);
        data.stddev.push_back(std::sqrt(squares / count - mean * mean) / 255);
    }
}

void useGiven(RawData& data, const Normalization& given)
{
    const auto channels = static_cast<std::size_t>(data.train.channels);
    if (given.mean.size() != channels)
        throw Error(Message("data.normalize_other_channels",
            { { "given", given.mean.size() }, { "channels", channels } }));
    data.mean = given.mean;
    data.stddev = given.stddev;
}

} // namespace

void throwOnePixel(const std::filesystem::path& where, std::uint8_t pixel, int channel)
{
    if (channel == 0)
        throw Error(Message("data.constant_pixels", { { "file", where }, { "pixel", pixel } }));
    throw Error(Message("data.constant_channel",
        { { "file", where }, { "channel", channel }, { "pixel", pixel } }));
}

void normalize(RawData& data, const Normalization& settings, const std::filesystem::path& where)
{
    using Kind = Normalization::Kind;
    const bool published = !data.mean.empty();
    if (settings.kind == Kind::Given)
        useGiven(data, settings);
    else if (settings.kind == Kind::Published && !published)
        throw Error(Message("data.normalize_unpublished", { { "name", data.name } }));
    else if (settings.kind == Kind::Measured || !published)
        measure(data, where);
}

} // namespace accrue
