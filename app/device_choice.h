// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"

#include <string>

namespace accrue {

// The id of the device that `wanted` names on this machine: "auto" and "cuda" are the first CUDA
// device, "auto" is the CPU where there is none. Throws WrongInput with what there is, or where no
// device is called so; `option` is where it was asked for, "base.toml:3: run.device" or "--device".
std::string chooseDevice(Engine& engine, const std::string& wanted, const std::string& option);

} // namespace accrue
