// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/failure_watch.h"

#include <exception>

#include <c10/core/CachingDeviceAllocator.h>

namespace accrue {

std::int64_t allocationFailures(c10::Device device)
{
    if (device.is_cpu())
        return 0;
    return c10::getDeviceAllocator(device.type())->getDeviceStats(device.index()).num_ooms;
}

FailureWatch::FailureWatch(c10::Device device)
    : m_device(device)
    , m_before(allocationFailures(device))
    , m_told(m_before)
{
}

void FailureWatch::begin()
{
    m_before = allocationFailures(m_device);
}

void FailureWatch::attemptFailed()
{
    m_told += allocationFailures(m_device) - m_before;
}

bool FailureWatch::passedOver()
{
    if (m_isTold || allocationFailures(m_device) <= m_told)
        return false;
    m_isTold = true;
    return true;
}

// The handles of cuBLAS and cuDNN, and the kernels that are loaded with them, take some tens of
// MiB.
bool FailureWatch::isDeviceFull() const
{
    constexpr std::size_t kHandles = std::size_t { 128 } << 20;
    if (m_device.is_cpu())
        return false;
    try {
        return c10::getDeviceAllocator(m_device.type())->getMemoryInfo(m_device.index()).first
            < kHandles;
    } catch (const std::exception&) {
        return false;
    }
}

} // namespace accrue
