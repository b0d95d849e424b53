// SPDX-License-Identifier: Apache-2.0
#include "app/engine_access.h"

#include "engine/base/error.h"
#include "engine/base/sentences.h"
#include "engine/base/shown_text.h"
#include "engine/door/loader.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/insight/device_info.h"

#include <algorithm>
#include <system_error>

namespace accrue {

namespace fs = std::filesystem;

namespace {

Message devicesOf(Engine& engine, const std::vector<DeviceInfo>& devices)
{
    std::vector<std::string> found;
    found.reserve(devices.size());
    for (const DeviceInfo& device : devices)
        found.push_back(device.id + " (" + device.name + ")");
    const Message problem = engine.versions().cudaProblem;
    if (problem.empty())
        return Message("cli.devices_found", { { "devices", commaList(found) } });
    return Message(
        "cli.devices_and_problem", { { "devices", commaList(found) }, { "problem", problem } });
}

} // namespace

Engine& requireEngine()
{
    const LoadedEngine loaded = loadEngine();
    if (loaded.engine == nullptr)
        throw Error(loaded.problem);
    return *loaded.engine;
}

// The finding of the key run.device, under the name by which the device was requested.
void requireDeviceName(const std::string& wanted, const std::string& option)
{
    const KeyInfo& key = *findKey(key::runDevice);
    Experiment asked;
    asked.run.device = wanted;
    if (rangeFinding(asked, key))
        throw InputError(notAllowed(option, shortened(key.value.toml(asked)), key.allowed));
}

DeviceInfo chooseDevice(Engine& engine, const std::string& wanted, const std::string& option)
{
    // Before devices(), which takes longer: a misspelt name needs none of them.
    requireDeviceName(wanted, option);
    const std::vector<DeviceInfo> devices = engine.devices();
    if (const DeviceInfo* const device = deviceNamed(wanted, devices))
        return *device;
    throw InputError(Message("cli.no_such_device",
        { { "option", option }, { "wanted", wanted }, { "devices", devicesOf(engine, devices) } }));
}

std::string chooseDeviceId(Engine& engine, const std::string& wanted, const std::string& option)
{
    return wanted == "cpu" ? wanted : chooseDevice(engine, wanted, option).id;
}

std::vector<std::string> checkpointNames(const fs::path& folder)
{
    std::vector<std::string> names;
    std::error_code error; // reading the checkpoint reports what cannot be examined
    if (fs::exists(bestCheckpoint(folder), error) || error)
        names.push_back(bestCheckpoint(folder).filename().string());
    for (const fs::path& checkpoint : checkpointsIn(folder))
        names.push_back(checkpoint.filename().string());
    return names;
}

void requireName(const std::string& name, const std::vector<std::string>& allowed)
{
    if (std::find(allowed.begin(), allowed.end(), name) == allowed.end())
        throw InputError(Message(
            "cli.no_such_checkpoint", { { "name", name }, { "checkpoints", commaList(allowed) } }));
}

SavedCheckpoint wholeCheckpoint(
    Engine& engine, const fs::path& checkpoint, const CheckpointCheck& check)
{
    SavedCheckpoint saved = engine.inspect(checkpoint);
    if (saved.problem.empty() && check)
        saved.problem = check(saved);
    if (!saved.problem.empty())
        throw InputError(saved.problem);
    return saved;
}

} // namespace accrue
