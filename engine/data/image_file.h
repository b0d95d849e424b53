// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/image.h"

#include <filesystem>

namespace accrue {

// Both identify PNG, JPEG and WebP by their first bytes, not by their names. They throw ImageError
// if the file is none of them, empty, cut off or damaged, larger than the limits above, or claims
// more pixels than its bytes can contain (a WebP of one colour can contain any number), before
// memory is allocated for them; Error if it cannot be opened or read. Block.

// Reads only up to the size, of a PNG up to the beginning of its pixels, and a WebP with EXIF
// completely, because EXIF is at its end.
ImageHeader readImageHeader(const std::filesystem::path& file);
// Turned and mirrored according to EXIF, in a PNG only if that precedes the pixels. Otherwise like
// torchvision's usual loader: alpha is dropped, 16 bits are scaled to 8, palettes become colours,
// gamma and colour profiles are not applied. Refuses a CMYK JPEG and an animated WebP, and any WebP
// if this program was built without libwebp. Needs three bytes per pixel, three more if it is
// turned, and during decoding six more for a progressive JPEG and four more for a lossless WebP.
Image readImage(const std::filesystem::path& file);

} // namespace accrue
