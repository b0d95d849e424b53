// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/host_device.h"
#include "engine/data/augmentation.h"

#include <array>
#include <cstdint>
#include <vector>

namespace accrue {

// The largest number of channels of a normalisation table.
inline constexpr int kMaxChannels = 4;
inline constexpr int kPixelValues = 256;

// The result for each of the 256 pixel values in each channel: (value / 255 − mean) / stddev,
// computed in double and rounded once to T. Plain memory: it is passed to a kernel by value.
template <typename T> struct PixelTable {
    std::array<T, kMaxChannels * kPixelValues> values;
};

// `mean` and `stddev` have one value per channel, for at most kMaxChannels.
template <typename T>
PixelTable<T> pixelTable(const std::vector<double>& mean, const std::vector<double>& stddev)
{
    PixelTable<T> table {};
    for (std::size_t channel = 0; channel < mean.size(); ++channel)
        for (int value = 0; value < kPixelValues; ++value)
            table.values[channel * kPixelValues + static_cast<std::size_t>(value)] =
                static_cast<T>((value / 255.0 - mean[channel]) / stddev[channel]);
    return table;
}

// The input of a gather: one split and the requested samples of it. Borrowed; host or device
// memory.
struct GatherSource {
    const std::uint8_t* images = nullptr; // [samples, channels, height, width]
    const std::int64_t* labels = nullptr; // [samples]
    const std::int64_t* indices = nullptr; // [count]
    std::int64_t count = 0;
    std::int64_t channels = 1;
    std::int64_t height = 0;
    std::int64_t width = 0;

    ACCRUE_HOST_DEVICE std::int64_t plane() const { return height * width; }
};

// One gather (gather.h) to float or double pictures. Borrowed, likewise.
template <typename T> struct GatherJob {
    GatherSource source;
    PixelTable<T> table;
    Augmentation augmentation;
    T* images = nullptr; // [count, channels, height, width]
    std::int64_t* labels = nullptr; // [count]
};

} // namespace accrue
