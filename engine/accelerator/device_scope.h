// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>
#include <c10/core/DeviceGuard.h>

namespace accrue {

// The scope of a job on this device: the device is the thread's current one, and backward passes
// run on the thread that calls them. So a pass that failed has released everything when its
// exception arrives, and no second thread is woken for each micro-batch. At its end the caches of
// allocators and libraries are returned to the device's other users; it must therefore outlive the
// job's tensors. Create and destroy it on one thread.
class DeviceScope {
public:
    explicit DeviceScope(c10::Device device);
    ~DeviceScope();
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;

private:
    const c10::Device m_device;
    const c10::OptionalDeviceGuard m_guard;
    const bool m_multithreaded;
};

// Frees the cache of the device's allocator, between two windows. Does nothing on the CPU.
void releaseCached(c10::Device device);

} // namespace accrue
