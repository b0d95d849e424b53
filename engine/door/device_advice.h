// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"
#include "engine/experiment/models.h"

#include <optional>

namespace accrue {

// What keeps this device from training the experiment, and what it is short of: that it is lost,
// its precision, and the memory that the network holds (checkHeldMemory of memory_advice.h; not
// asked where the shape of the pictures is not known). `experiment` is validated. Pure; any thread.
Findings checkDevice(const Experiment& experiment, const std::optional<PictureShape>& shape,
    const DeviceInfo& device);

} // namespace accrue
