// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/model/network.h"

#include <cstdint>
#include <memory>

namespace accrue {

// The model that `settings` name, on the CPU in float32, initialised from `seed` alone (the global
// random state is reseeded with it): the same seed gives the same parameters on every device and in
// every precision to which it is moved. Throws Error if the model does not accept such pictures.
std::shared_ptr<Network> makeModel(
    const ModelSettings& settings, const PictureShape& shape, std::uint64_t seed);

} // namespace accrue
