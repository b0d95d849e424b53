// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/data/raw_data.h"

namespace accrue {

// Sets data.mean and data.stddev, which contain the published constants or are empty, as `settings`
// request. Measured values are exact: over all pixels of data.train by channel, from the count of
// each pixel value. Throws Error: nothing is published, the given values are not one per channel,
// or all pixels of a measured channel are equal. `where` names the training pictures in messages.
void normalize(RawData& data, const Normalization& settings, const std::filesystem::path& where);
// What normalize throws where all pixels of a channel are `pixel`. `channel` counts from 1; 0:
// there is only one.
[[noreturn]] void throwOnePixel(
    const std::filesystem::path& where, std::uint8_t pixel, int channel = 0);

} // namespace accrue
