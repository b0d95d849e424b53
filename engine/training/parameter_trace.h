// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"
#include "engine/model/network.h"

#include <string>

#include <ATen/core/Tensor.h>

namespace accrue {

// Looks at one parameter as it is, to show when it changes. `network` must outlive it. One thread.
class ParameterTrace {
public:
    // `name` as model.safetensors has it, or first. Throws EngineError naming the parameters there
    // are.
    ParameterTrace(const Network& network, const std::string& name);

    // Checksum and first values; the place is the caller's. Waits for the device.
    TracedMicroBatch look() const;

private:
    at::Tensor m_parameter;
    at::Tensor m_host; // allocated once, because the window that was updated cannot be repeated
    at::Tensor m_first; // float64
};

} // namespace accrue
