// SPDX-License-Identifier: Apache-2.0
#include "app/device_choice.h"

#include "app/wrong_input.h"

namespace accrue {

std::string chooseDevice(Engine& engine, const std::string& wanted, const std::string& option)
{
    if (wanted == "cpu")
        return wanted;
    std::string found;
    for (const DeviceInfo& device : engine.devices()) {
        const bool anyCuda = wanted == "auto" || wanted == "cuda";
        if (anyCuda ? device.id != "cpu" : device.id == wanted)
            return device.id;
        found += (found.empty() ? "" : ", ") + device.id + " (" + device.name + ")";
    }
    if (wanted == "auto")
        return "cpu";
    const std::string problem = engine.versions().cudaProblem;
    throw WrongInput(option + " is " + wanted + ", but this machine has " + found
        + (problem.empty() ? "" : ", and " + problem)
        + "; use --device cpu, or see accrue doctor.");
}

} // namespace accrue
