// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/device_advice.h"

#include "engine/experiment/fixes.h"
#include "engine/experiment/key_names.h"
#include "engine/insight/memory_advice.h"

namespace accrue {
namespace {

// cuDNN has no convolution of bfloat16 for cards before Ampere.
Findings checkPrecision(const Experiment& experiment, const DeviceInfo& device)
{
    if (experiment.run.precision != Precision::BFloat16 || device.computesBFloat16)
        return {};
    return { errorAbout(key::runPrecision,
        Message("device_advice.no_bfloat16",
            { { "device", device.id }, { "name", device.name },
                { "capability", device.capability } }),
        setting(key::runPrecision, "float16")) };
}

Findings checkLost(const DeviceInfo& device)
{
    if (!device.lost)
        return {};
    return { errorAbout(key::runDevice,
        Message("device_advice.lost", { { "device", device.id }, { "name", device.name } }),
        setting(key::runDevice, "cpu")) };
}

} // namespace

Findings checkDevice(const Experiment& experiment, const std::optional<PictureShape>& shape,
    const DeviceInfo& device, const std::vector<DeviceInfo>& devices, std::int64_t ranks)
{
    Findings findings = checkLost(device);
    append(findings, checkPrecision(experiment, device));
    append(findings, checkHeldMemory(experiment, shape, device, ranks));
    if (const DeviceInfo* const host = deviceNamed("cpu", devices))
        append(findings, checkHostMemory(experiment, shape, device.id, *host, ranks));
    return findings;
}

Findings checkAllDevices(const Experiment& experiment, const std::vector<DeviceInfo>& devices)
{
    // `validate` has an error about any other device than these two.
    const std::string& wanted = experiment.run.device;
    const bool isAll = experiment.batch.devices.isAll() && (wanted == "auto" || wanted == "cuda");
    if (!isAll || cudaDevicesAmong(devices) > 0)
        return {};
    return { errorAbout(
        key::batchDevices, Message("device_advice.none_of_all"), setting(key::batchDevices, "1")) };
}

} // namespace accrue
