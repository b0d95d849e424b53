// SPDX-License-Identifier: Apache-2.0
#include "engine/door/device_advice.h"

#include "engine/door/memory_advice.h"
#include "engine/experiment/fixes.h"

namespace accrue {
namespace {

// cuDNN has no convolution of bfloat16 for cards before Ampere.
Findings checkPrecision(const Experiment& experiment, const DeviceInfo& device)
{
    if (experiment.run.precision != Precision::BFloat16 || device.computesBFloat16)
        return {};
    return { { Finding::Severity::Error, "run.precision", 0,
        "run.precision is \"bfloat16\", which " + device.id + " (" + device.name + ", "
            + device.detail.substr(0, device.detail.find(','))
            + ") cannot compute, sm_80 and newer can; use float16 or float32.",
        setting("run.precision", "float16") } };
}

Findings checkLost(const DeviceInfo& device)
{
    if (!device.lost)
        return {};
    return { { Finding::Severity::Error, "run.device", 0,
        device.id + " (" + device.name
            + ") has failed; restart Accrue to use it again, or set run.device = cpu.",
        setting("run.device", "cpu") } };
}

void append(Findings& findings, const Findings& more)
{
    findings.insert(findings.end(), more.begin(), more.end());
}

} // namespace

Findings checkDevice(const Experiment& experiment, const std::optional<PictureShape>& shape,
    const DeviceInfo& device)
{
    Findings findings = checkLost(device);
    append(findings, checkPrecision(experiment, device));
    append(findings, checkHeldMemory(experiment, shape, device));
    return findings;
}

} // namespace accrue
