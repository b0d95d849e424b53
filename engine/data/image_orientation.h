// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "engine/data/image.h"

namespace accrue {

// How a camera was held, according to EXIF: 1 upright, 2 to 4 mirrored or upside down, 5 to 8 with
// rows and columns exchanged.
inline constexpr int kUpright = 1;

// From EXIF's bytes, a TIFF header and its first directory, with or without "Exif" and two zeros
// before them. kUpright if they are damaged or contain none. Safe for any bytes.
int orientationIn(const std::vector<std::uint8_t>& exif);
// Whether height and width of the stored picture are exchanged.
bool swapsSides(int orientation);
// The picture as a person should see it; needs its bytes a second time unless it is kUpright.
Image turned(Image image, int orientation);

} // namespace accrue
