// SPDX-License-Identifier: Apache-2.0
#include "engine/training/window_metrics.h"

#include <exception>

#include <ATen/ATen.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "engine/accelerator/accelerators.h"

namespace accrue {
namespace {

constexpr std::int64_t kFigures = 4;

WindowValues valuesOf(const at::Tensor& host)
{
    const double* values = host.const_data_ptr<double>();
    return { .lossSum = values[0],
        .correct = static_cast<std::int64_t>(values[1]),
        .gradientNorm = values[2],
        .refused = values[3] != 0 };
}

} // namespace

WindowMetrics::WindowMetrics(at::Device device)
    : m_device(device)
    , m_all(at::zeros({ kFigures }, at::TensorOptions().dtype(at::kDouble).device(device)))
    , m_lossSum(m_all[0])
    , m_correct(m_all[1])
    , m_gradientNorm(m_all[2])
    , m_refused(m_all[3])
{
    const auto onHost = at::TensorOptions().dtype(at::kDouble).pinned_memory(!device.is_cpu());
    for (at::Tensor& copy : m_host)
        copy = at::zeros({ kFigures }, onHost);
    for (int event = 0; event < 2 && !device.is_cpu(); ++event)
        m_copied.emplace_back(device.type());
}

// Pinned memory that is freed asks the device whether it is still used; one that has failed answers
// with an error, which must not leave a destructor. So there it is not freed: 64 bytes until the
// process ends.
WindowMetrics::~WindowMetrics()
{
    if (m_device.is_cpu() || copiesAreDone())
        return;
    for (at::Tensor& copy : m_host)
        static_cast<void>(copy.unsafeReleaseTensorImpl());
}

// False: the device has failed, whether somebody has noticed or not.
bool WindowMetrics::copiesAreDone() const
{
    if (isLost(m_device))
        return false;
    try {
        for (const c10::Event& copied : m_copied)
            copied.synchronize();
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

void WindowMetrics::beginWindow()
{
    m_all.zero_();
}

void WindowMetrics::endWindow()
{
    m_host[m_writing].copy_(m_all, /*non_blocking=*/true);
    if (!m_device.is_cpu())
        m_copied[m_writing].record(
            c10::impl::VirtualGuardImpl(m_device.type()).getStream(m_device));
    m_writing = 1 - m_writing;
}

WindowValues WindowMetrics::soFar() const
{
    return valuesOf(m_all.cpu());
}

WindowValues WindowMetrics::read()
{
    if (!m_device.is_cpu())
        m_copied[m_reading].synchronize();
    const at::Tensor& host = m_host[m_reading];
    m_reading = 1 - m_reading;
    return valuesOf(host);
}

} // namespace accrue
