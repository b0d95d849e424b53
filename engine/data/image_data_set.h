// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "engine/data/raw_data.h"

namespace accrue {

inline constexpr std::int64_t kLargestImageSet = std::int64_t { 8 } << 30; // bytes of pixels, 8 GiB
inline constexpr std::size_t kMostImageClasses = 256; // a label is one byte

// Folders of pictures by class, in the parts that image_folders.h distinguishes: a class is a
// folder of train, in the order of their names' bytes, and other parts have the same ones. Every
// .png, .jpg, .jpeg and .webp below it, in upper or lower case, is a sample, in the order of their
// paths; other files and names that begin with a dot are ignored. If there is no part to test on,
// test is empty, and data.test has to hold it out of train (hold_out.h).
//
// All pictures get one size, the given one or the most common one of the training pictures (of
// equally common ones the largest), by the rule of image_resize.h; the training pictures are those
// before anything is held out. They stay grey if all of them are, otherwise the grey ones become
// colour. First every header is read, so that the required memory is known and checked; then they
// are decoded on all cores, one at a time per thread.
//
// Throws Error: no class, more than kMostImageClasses, a class that one part lacks, one without
// a picture, two folders to validate on, more memory than kLargestImageSet, and, unless they are to
// be skipped, pictures that cannot be read (image_file.h), named. Blocks.
//
// `request.form`, if given, decides the size, and whether the pictures are grey; Error if some are
// in colour and it is grey. Pixels::Check reads headers only, so damage beyond them is not noticed,
// and pictures without a readable header are counted in the description: only the recipe decides
// whether they are skipped. 5 µs per file.
RawData readImageDataSet(const DataRequest& request);

} // namespace accrue
