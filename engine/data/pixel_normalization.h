// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/data/raw_data.h"

namespace accrue {

// Sets data.mean and data.stddev, which hold the published constants or are empty, to what
// `settings` asks for. Measured values are exact: over all pixels of data.train by channel, from
// the count of each pixel value. Throws Error: nothing is published, given values that are not
// one a channel, a channel whose pixels are all equal where it is measured. `where` names the
// training pictures in messages.
void normalize(RawData& data, const Normalization& settings, const std::filesystem::path& where);
// What normalize throws where all pixels of a channel are `pixel`. `channel` counts from 1; 0:
// there is only one.
[[noreturn]] void throwOnePixel(
    const std::filesystem::path& where, std::uint8_t pixel, int channel = 0);

} // namespace accrue
