// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/finding.h"
#include "engine/experiment/models.h"
#include "engine/insight/device_info.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace accrue {

// What prevents this device, one of `devices`, from training the experiment: that it is lost, its
// precision, and the memory that the network holds on it and on the host (checkHeldMemory and
// checkHostMemory of memory_advice.h, also about `ranks`; not checked if the shape of the images is
// unknown). `experiment` is validated. Pure; any thread.
Findings checkDevice(const Experiment& experiment, const std::optional<PictureShape>& shape,
    const DeviceInfo& device, const std::vector<DeviceInfo>& devices, std::int64_t ranks = 0);

// An error if batch.devices is "all" and none of the devices is a CUDA device. Pure; any thread.
Findings checkAllDevices(const Experiment& experiment, const std::vector<DeviceInfo>& devices);

} // namespace accrue
