// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"

#include <string>
#include <vector>

#include <c10/core/Device.h>

namespace accrue {

// What this machine offers, "cpu" first, then each CUDA device that our kernels can use.
std::vector<DeviceInfo> listDevices();

// run.device made definite: auto is cuda:0 where there is one, otherwise the CPU. Throws
// EngineError with what was found and what to choose.
at::Device resolveDevice(const std::string& name);

// As RunStarted tells it: "AMD EPYC 7763", "NVIDIA H100 80GB HBM3".
std::string deviceName(at::Device device);

// Cores that this process may use; at least 1.
int usableCores();

EngineVersions engineVersions();

} // namespace accrue
