// SPDX-License-Identifier: Apache-2.0
#include "app/device_choice.h"

#include "app/wrong_input.h"
#include "engine/door/named_device.h"
#include "engine/experiment/validation.h"

#include <vector>

namespace accrue {

namespace {

// The sentence of the key, under the name by which the device was asked for.
void requireDeviceName(const std::string& wanted, const std::string& option)
{
    const std::string key = "run.device";
    Experiment asked;
    asked.run.device = wanted;
    for (const Finding& finding : validate(asked))
        if (finding.key == key)
            throw WrongInput(option + finding.message.substr(key.size()));
}

} // namespace

std::string chooseDevice(Engine& engine, const std::string& wanted, const std::string& option)
{
    requireDeviceName(wanted, option);
    if (wanted == "cpu")
        return wanted;
    const std::vector<DeviceInfo> devices = engine.devices();
    if (std::string id = deviceNamed(wanted, devices); !id.empty())
        return id;
    std::string found;
    for (const DeviceInfo& device : devices)
        found += (found.empty() ? "" : ", ") + device.id + " (" + device.name + ")";
    const std::string problem = engine.versions().cudaProblem;
    throw WrongInput(option + " is " + wanted + ", but this machine has " + found
        + (problem.empty() ? "" : ", and " + problem)
        + "; use --device cpu, or see accrue doctor.");
}

} // namespace accrue
