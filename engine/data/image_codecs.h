// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/image.h"

namespace accrue {

// The libraries behind readImage, which has checked that the size in the header is allowed.
// Throw ImageError if `file` is damaged or ends too early.
Image decodePng(const std::vector<std::uint8_t>& file);
Image decodeJpeg(const std::vector<std::uint8_t>& file);
Image decodeWebp(const std::vector<std::uint8_t>& file);

// Throws ImageError if this program was built without libwebp.
void requireWebp();

} // namespace accrue
