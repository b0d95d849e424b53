// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/raw_data.h"

#include <string>

namespace accrue {

// 32 hexadecimal digits (XXH3, 128 bits) of a split's number of samples and their shape, its pixels
// and its labels, in order: equal for equal data on every machine. It detects changes; it is no
// signature, because other data with the same digest can be made. Blocks, 0.06 ms per megabyte.
std::string dataDigest(const RawSplit& split);

} // namespace accrue
