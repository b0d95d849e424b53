// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "engine/data/image.h"

namespace accrue {

// How a camera was held, as EXIF tells it: 1 upright, 2 to 4 mirrored or upside down, 5 to 8 with
// rows and columns exchanged.
inline constexpr int kUpright = 1;

// Of EXIF's bytes, a TIFF header and its first directory, with or without "Exif" and two zeros
// before them. kUpright where they are damaged or say nothing. Any bytes do no harm.
int orientationIn(const std::vector<std::uint8_t>& exif);
// Whether height and width of what is stored change places.
bool swapsSides(int orientation);
// The picture as it is to be seen; takes its bytes a second time where it is not kUpright.
Image turned(Image image, int orientation);

} // namespace accrue
