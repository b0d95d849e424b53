// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"
#include "engine/model/network.h"

#include <string>

#include <ATen/core/Tensor.h>

namespace accrue {

// Reads one parameter, to show when it changes. `network` must outlive it. One thread.
class ParameterTrace {
public:
    // `name` as in model.safetensors, or first. Throws Error naming the parameters of the network.
    ParameterTrace(const Network& network, const std::string& name);

    const at::Tensor& parameter() const { return m_parameter; }
    // Checksum and first values; the caller adds the place in the run. Waits for the device.
    TracedMicroBatch look() const;

private:
    at::Tensor m_parameter;
    at::Tensor m_host; // allocated once, because a window whose update was made cannot be repeated
    at::Tensor m_first; // float64
};

} // namespace accrue
