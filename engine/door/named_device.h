// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"

#include <string>
#include <vector>

namespace accrue {

// The id of the one of these devices that run.device names: "auto" and "cuda" are the first CUDA
// device, "auto" is the CPU where there is none. Empty: it names none of them. Pure; any thread.
std::string deviceNamed(const std::string& name, const std::vector<DeviceInfo>& devices);

} // namespace accrue
