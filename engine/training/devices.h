// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"

#include <string>
#include <vector>

#include <c10/core/Device.h>

namespace accrue {

// What this machine offers, "cpu" first, then each CUDA device that our kernels can use. Makes no
// CUDA context. Never throws: a device that does not answer is left out (engineVersions says why).
std::vector<DeviceInfo> listDevices();

// run.device made definite: auto and cuda are the first CUDA device that our kernels can use, and
// auto is the CPU where there is none. Throws EngineError with what was found and what to choose.
at::Device resolveDevice(const std::string& name);

// Why our kernels cannot run on a device of this compute capability, "is sm_61, older than …";
// empty: they can.
std::string capabilityProblem(int major, int minor);

// As RunStarted tells it: "AMD EPYC 7763", "NVIDIA H100 80GB HBM3".
std::string deviceName(at::Device device);

// Why figures and limits of memory may be wrong: PYTORCH_CUDA_ALLOC_CONF or PYTORCH_ALLOC_CONF asks
// for an allocator that counts in another way. Empty: they do not.
std::string allocatorWarning();

// Cores that this process may use; at least 1.
int usableCores();

EngineVersions engineVersions();

} // namespace accrue
