// SPDX-License-Identifier: Apache-2.0
#include "engine/window/window_metrics.h"

#include <exception>
#include <iterator>
#include <limits>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "engine/accelerator/accelerators.h"

namespace accrue {
namespace {

constexpr std::int64_t kFigures = 4; // of every window; what is measured on request follows them

} // namespace

WindowMetrics::WindowMetrics(at::Device device, std::vector<std::string> measured)
    : m_device(device)
    , m_names(std::move(measured))
    , m_all(at::zeros({ kFigures + std::ssize(m_names) },
          at::TensorOptions().dtype(at::kDouble).device(device)))
    , m_figures(m_all.narrow(/*dim=*/0, /*start=*/0, kFigures))
    , m_lossSum(m_all[0])
    , m_correct(m_all[1])
    , m_gradientNorm(m_all[2])
    , m_refused(m_all[3])
    , m_sums(m_all.narrow(/*dim=*/0, /*start=*/0, /*length=*/2))
{
    const auto onHost = at::TensorOptions().dtype(at::kDouble).pinned_memory(!device.is_cpu());
    for (at::Tensor& copy : m_host)
        copy = at::zeros({ m_all.numel() }, onHost);
    for (std::int64_t place = kFigures; place < m_all.numel(); ++place)
        m_measured.push_back(m_all[place]);
    for (int event = 0; event < 2 && !device.is_cpu(); ++event)
        m_copied.emplace_back(device.type());
}

// Freeing pinned memory queries the device whether it still uses the memory. A device that has
// failed answers with an error, which must not leave a destructor, so the memory is not freed then:
// 64 bytes until the process ends.
WindowMetrics::~WindowMetrics()
{
    if (m_device.is_cpu() || copiesAreDone())
        return;
    for (at::Tensor& copy : m_host)
        static_cast<void>(copy.unsafeReleaseTensorImpl());
}

// Returns false if the device has failed, even if nobody has marked it as lost yet.
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

WindowValues WindowMetrics::valuesOf(const at::Tensor& host) const
{
    const double* figures = host.const_data_ptr<double>();
    WindowValues values { .lossSum = figures[0],
        .correct = static_cast<std::int64_t>(figures[1]),
        .gradientNorm = figures[2],
        .refused = figures[3] != 0 };
    const double* figure = figures + kFigures;
    for (const std::string& name : m_names)
        values.measured.push_back(
            { name, values.refused ? std::numeric_limits<double>::quiet_NaN() : *figure++ });
    return values;
}

// The event marks the end of the copy on the stream; read() waits for it and for nothing later.
void WindowMetrics::endWindow()
{
    m_host[m_writing].copy_(m_all, /*non_blocking=*/true);
    if (!m_device.is_cpu())
        m_copied[m_writing].record(
            c10::impl::VirtualGuardImpl(m_device.type()).getStream(m_device));
    m_writing = 1 - m_writing;
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
