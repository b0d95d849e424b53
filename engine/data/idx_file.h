// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "engine/data/data_files.h"

namespace accrue {

// No data file may inflate to more than this: 2 GiB, 2.7 million pictures of 28 × 28.
inline constexpr std::uint64_t kLargestDataFile = std::uint64_t { 1 } << 31;

// The content of an IDX file of unsigned bytes: the size of each dimension, the number of samples
// first, each at least 1, and as many values as their product.
struct IdxArray {
    std::vector<std::int64_t> sizes;
    std::vector<std::uint8_t> values; // empty with Pixels::Check
    std::optional<std::uint8_t> onlyValue; // nullopt: the values differ
};

// Reads an IDX file (plain or gzip) of `dimensions` dimensions: 3 are images, 1 is labels. The
// sizes of the header are checked against the file before memory is allocated for them, and no more
// is inflated than they specify. With Pixels::Check in blocks and without storing the values.
// Blocks. Throws Error: not readable, wrong magic number, truncated, longer than its header, no
// samples, larger than kLargestDataFile, damaged gzip.
IdxArray readIdxFile(
    const std::filesystem::path& file, int dimensions, Pixels pixels = Pixels::Store);

// The sizes of the header, checked as far as the file's size allows; nothing else is read.
std::vector<std::int64_t> idxSizes(const std::filesystem::path& file, int dimensions);

} // namespace accrue
