// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/allocator_watch.h"

#include <exception>
#include <utility>

#include <c10/core/CachingDeviceAllocator.h>

namespace accrue {
namespace {

using Statistics = c10::CachingDeviceAllocator::DeviceStats;

std::int64_t counted(c10::Device device, std::int64_t Statistics::*counter)
{
    if (device.is_cpu())
        return 0;
    return c10::getDeviceAllocator(device.type())->getDeviceStats(device.index()).*counter;
}

std::int64_t failures(c10::Device device)
{
    return counted(device, &Statistics::num_ooms);
}

} // namespace

FailureWatch::FailureWatch(c10::Device device)
    : m_device(device)
    , m_before(failures(device))
    , m_reported(m_before)
{
}

void FailureWatch::begin()
{
    m_before = failures(m_device);
}

bool FailureWatch::sawSome() const
{
    return failures(m_device) > m_before;
}

void FailureWatch::attemptFailed()
{
    m_reported += failures(m_device) - m_before;
}

// Once per run is enough: the warning says that results may differ from here on.
bool FailureWatch::hasHidden()
{
    return failures(m_device) > m_reported && !std::exchange(m_hasReturned, true);
}

// The handles of cuBLAS and cuDNN, and the kernels that are loaded with them, occupy some tens of
// MiB. When there is no room for them, the libraries only report that they are not initialised.
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

std::int64_t allocationRetries(c10::Device device)
{
    return counted(device, &Statistics::num_alloc_retries);
}

// Compares with ==, not >=, so that a run is warned once.
bool RetryWatch::windowEnded(std::int64_t retries)
{
    const bool some = std::exchange(m_retries, retries) < retries;
    return some && ++m_windows == kPatience;
}

} // namespace accrue
