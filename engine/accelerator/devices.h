// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"

#include <string>
#include <vector>

#include <c10/core/Device.h>

namespace accrue {

// The devices of this machine: "cpu" first, then each CUDA device that our kernels can use. Creates
// no CUDA context. Never throws: a device that does not answer is left out (engineVersions states
// why).
std::vector<DeviceInfo> listDevices();

// The device that run.device names: auto and cuda are the first CUDA device that our kernels can
// use, and auto is the CPU if there is none. Throws Error with what was found and what to set.
at::Device resolveDevice(const std::string& name);

// Why our kernels cannot run on `device` with this compute capability; empty: they can.
Message capabilityProblem(const std::string& device, int major, int minor);

// As in RunStarted: "AMD EPYC 7763", "NVIDIA H100 80GB HBM3".
std::string deviceName(at::Device device);

// Why figures and limits of memory may be wrong: PYTORCH_CUDA_ALLOC_CONF or PYTORCH_ALLOC_CONF
// selects an allocator that counts in another way. Empty: they do not.
Message allocatorWarning();

// Cores that this process may use; at least 1.
int usableCores();

EngineVersions engineVersions();

} // namespace accrue
