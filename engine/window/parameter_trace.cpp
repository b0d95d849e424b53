// SPDX-License-Identifier: Apache-2.0
#include "engine/window/parameter_trace.h"

#include <algorithm>

#include <ATen/ATen.h>
#include <zlib.h>

#include "engine/base/error.h"
#include "engine/base/sentences.h"
#include "engine/base/shown_text.h"

namespace accrue {
namespace {

at::Tensor parameterOf(const Network& network, const std::string& name)
{
    const auto parameters = network.named_parameters();
    if (name == "first")
        return parameters.front().value();
    if (const at::Tensor* found = parameters.find(name))
        return *found;
    std::vector<std::string> known { "first" };
    for (const std::string& key : parameters.keys())
        known.push_back(key);
    throw Error(Message(
        "window.trace_unknown", { { "name", shortened(name) }, { "known", commaList(known) } }));
}

} // namespace

// Both buffers are allocated here, since an allocation after an update could fail when the window
// can no longer be repeated.
ParameterTrace::ParameterTrace(const Network& network, const std::string& name)
    : m_parameter(parameterOf(network, name).detach())
    , m_host(at::empty(m_parameter.sizes(), m_parameter.options().device(at::kCPU)))
    , m_first(at::empty(
          { std::min<std::int64_t>(TracedMicroBatch::kValues, m_parameter.numel()) }, at::kDouble))
{
}

// In the order of the shape, whatever the memory format, so that the checksums of two runs can be
// compared.
TracedMicroBatch ParameterTrace::look() const
{
    m_host.copy_(m_parameter);
    const auto* bytes = static_cast<const Bytef*>(m_host.const_data_ptr());
    TracedMicroBatch traced { .checksum = static_cast<std::uint32_t>(
                                  crc32_z(crc32_z(0, nullptr, 0), bytes, m_host.nbytes())) };
    m_first.copy_(m_host.flatten().narrow(/*dim=*/0, /*start=*/0, m_first.numel()));
    traced.values.assign(
        m_first.const_data_ptr<double>(), m_first.const_data_ptr<double>() + m_first.numel());
    return traced;
}

} // namespace accrue
