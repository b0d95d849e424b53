// SPDX-License-Identifier: Apache-2.0
#include "engine/training/parameter_trace.h"

#include <algorithm>

#include <ATen/ATen.h>
#include <zlib.h>

#include "engine/door/engine_error.h"

namespace accrue {
namespace {

at::Tensor parameterOf(const Network& network, const std::string& name)
{
    const auto parameters = network.named_parameters();
    if (name == "first")
        return parameters.front().value();
    if (const at::Tensor* found = parameters.find(name))
        return *found;
    std::string known;
    for (const std::string& key : parameters.keys())
        known += ", " + key;
    throw EngineError("trace.parameters is " + name
        + ", which the model does not have; allowed: first" + known + ".");
}

} // namespace

ParameterTrace::ParameterTrace(const Network& network, const std::string& name)
    : m_parameter(parameterOf(network, name).detach())
{
}

// In the order of the shape, whatever the order in memory.
TracedMicroBatch ParameterTrace::look() const
{
    const at::Tensor values = m_parameter.cpu().contiguous();
    const auto* bytes = static_cast<const Bytef*>(values.const_data_ptr());
    TracedMicroBatch traced { .checksum = static_cast<std::uint32_t>(
                                  crc32_z(crc32_z(0, nullptr, 0), bytes, values.nbytes())) };
    const std::int64_t count = std::min<std::int64_t>(TracedMicroBatch::kValues, values.numel());
    const at::Tensor first = values.flatten().narrow(/*dim=*/0, /*start=*/0, count).to(at::kDouble);
    traced.values.assign(
        first.const_data_ptr<double>(), first.const_data_ptr<double>() + first.numel());
    return traced;
}

} // namespace accrue
