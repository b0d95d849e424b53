// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/raw_data.h"

namespace accrue {

// Moves samples of data.train to data.validation, as many as `heldOut` asks for (held_out.h), drawn
// uniformly by `seed`: the same ones on every machine. Both sides keep the stored order. Nothing is
// done where nothing is asked for. Throws DataError where either side would be left without a
// sample.
void holdOut(RawData& data, const HeldOut& heldOut, std::uint64_t seed);

} // namespace accrue
