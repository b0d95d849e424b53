// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/device_info.h"

namespace accrue {

std::string deviceNamed(const std::string& name, const std::vector<DeviceInfo>& devices)
{
    const bool anyCuda = name == "auto" || name == "cuda";
    for (const DeviceInfo& device : devices)
        if (anyCuda ? device.id != "cpu" : device.id == name)
            return device.id;
    return name == "auto" && !devices.empty() ? "cpu" : std::string();
}

} // namespace accrue
