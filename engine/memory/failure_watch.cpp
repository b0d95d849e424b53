// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/failure_watch.h"

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
{
}

void FailureWatch::begin()
{
    m_before = allocationFailures(m_device);
}

bool FailureWatch::passedOver()
{
    if (m_told || !sawSome())
        return false;
    m_told = true;
    return true;
}

// The handles of cuBLAS and cuDNN, and the kernels that are loaded with them, take some tens of
// MiB.
bool FailureWatch::isDeviceFull() const
{
    constexpr std::size_t kHandles = std::size_t { 128 } << 20;
    return !m_device.is_cpu()
        && c10::getDeviceAllocator(m_device.type())->getMemoryInfo(m_device.index()).first
        < kHandles;
}

} // namespace accrue
