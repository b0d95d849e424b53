// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>
#include <c10/core/DeviceGuard.h>

namespace accrue {

// A job computes on this device while it lives: it is the thread's current one, and backward passes
// run on the thread that asks for them. So a pass that failed has let go of all it held when its
// exception arrives, and no second thread is woken for each micro-batch. At its end what allocators
// and libraries keep for later is given back to the device's other users, so it must outlive the
// job's tensors. Made and destroyed on one thread.
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

// What the device's allocator keeps for later, between two windows. Nothing on the CPU.
void releaseCached(c10::Device device);

} // namespace accrue
