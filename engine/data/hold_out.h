// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/data_files.h"
#include "engine/data/raw_data.h"
#include "engine/experiment/held_out.h"

namespace accrue {

// What `files` hold, of which `data` were read. `data` still has all of it in train where there is
// nothing to test on.
DataParts partsOf(const RawData& data, const DataFiles& files);

// Both move samples of data.train to another part, drawn by `seed` and the order of the samples
// alone: the same ones on every machine. Both sides keep the stored order.

// To data.test, where there is nothing to test on: as many of each class as heldOutByClass says,
// every choice within the class equally likely. Throws Error where checkHeldOut (held_out.h)
// has an error. Before anything else is held out, so that nothing else changes what is drawn.
void holdOutTest(
    RawData& data, const DataSettings& settings, const DataParts& parts, std::uint64_t seed);
// To data.validation, every choice equally likely. Nothing is done where nothing is asked for.
// Throws Error where either side would be left without a sample.
void holdOutValidation(RawData& data, const HeldOut& heldOut, std::uint64_t seed);

} // namespace accrue
