// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/retry_watch.h"

#include <utility>

#include <c10/core/CachingDeviceAllocator.h>

namespace accrue {

std::int64_t allocationRetries(at::Device device)
{
    if (device.is_cpu())
        return 0;
    return c10::getDeviceAllocator(device.type())->getDeviceStats(device.index()).num_alloc_retries;
}

bool RetryWatch::windowEnded(std::int64_t retries)
{
    const bool some = std::exchange(m_retries, retries) < retries;
    return some && ++m_windows == kPatience;
}

} // namespace accrue
