// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/image.h"

#include <filesystem>

namespace accrue {

// Both know PNG, JPEG and WebP by their first bytes, not by their names. They throw ImageError
// where the file is none of them, empty, cut off or damaged, larger than the limits above, or
// promises more pixels than its bytes can hold (a WebP of one colour can hold any number), before
// memory is taken for them; Error where it cannot be opened or read. Block.

// Reads no further than the size stands, of a PNG to where its pixels begin, and a WebP with EXIF
// whole, because it stands at its end.
ImageHeader readImageHeader(const std::filesystem::path& file);
// Turned and mirrored as EXIF asks, of a PNG where that stands before the pixels. Otherwise as
// torchvision's usual loader: alpha is dropped, 16 bits are scaled to 8, palettes become colours,
// gamma and colour profiles are not applied. A CMYK JPEG and an animated WebP are refused, and so
// is any WebP where this program was built without libwebp. Takes three bytes a pixel, three more
// where it is turned, and while they are decoded a progressive JPEG six more and a lossless WebP
// four more.
Image readImage(const std::filesystem::path& file);

} // namespace accrue
