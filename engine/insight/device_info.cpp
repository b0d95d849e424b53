// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/device_info.h"

#include <algorithm>

namespace accrue {

const DeviceInfo* deviceNamed(const std::string& name, const std::vector<DeviceInfo>& devices)
{
    const bool anyCuda = name == "auto" || name == "cuda";
    for (const DeviceInfo& device : devices)
        if (anyCuda ? device.id != "cpu" : device.id == name)
            return &device;
    // `cuda` has no such fallback: a run that requests a card must not silently use the CPU.
    return name == "auto" ? deviceNamed("cpu", devices) : nullptr;
}

std::int64_t cudaDevicesAmong(const std::vector<DeviceInfo>& devices)
{
    return std::count_if(devices.begin(), devices.end(),
        [](const DeviceInfo& device) { return device.id != "cpu"; });
}

std::int64_t ranksOn(const std::string& id, const std::string& runDevice, std::int64_t ranks)
{
    return id == "cpu" || id == runDevice ? ranks : 1;
}

} // namespace accrue
