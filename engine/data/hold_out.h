// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/data_files.h"
#include "engine/data/raw_data.h"
#include "engine/experiment/held_out.h"

namespace accrue {

// The parts in `files`, from which `data` were read. All samples of `data` are still in train if
// there is nothing to test on.
DataParts partsOf(const RawData& data, const DataFiles& files);

// Both move samples of data.train to another part, drawn by `seed` and the order of the samples
// alone: the same ones on every machine. Both sides retain the stored order.

// To data.test, if there is nothing to test on: as many of each class as heldOutByClass returns,
// every choice within the class equally likely. Throws Error if checkHeldOut (held_out.h) has an
// error. Before anything else is held out, so that nothing else changes what is drawn.
void holdOutTest(
    RawData& data, const DataSettings& settings, const DataParts& parts, std::uint64_t seed);
// To data.validation, every choice equally likely. Does nothing if nothing is requested. Throws
// Error if either side would be left without a sample.
void holdOutValidation(RawData& data, const HeldOut& heldOut, std::uint64_t seed);

} // namespace accrue
