// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <c10/core/Device.h>

namespace accrue {

// Allocations that the device's caching allocator has refused so far, since the process began; 0 on
// the CPU, whose refusals are always told.
std::int64_t allocationFailures(c10::Device device);

// Knows of refused allocations that nobody was told of: cuDNN's wrapper tries its algorithms one
// after the other, and takes a refused workspace for an algorithm that does not suit. One thread.
class FailureWatch {
public:
    // From now on. Its allocator must know the device (MemoryMeter sees to that).
    explicit FailureWatch(c10::Device device);

    void begin(); // an attempt
    // Since the attempt began.
    bool sawSome() const { return allocationFailures(m_device) > m_before; }
    // An attempt has failed for want of memory, which is told: its refusals were not passed over.
    void attemptFailed();
    // True once: some were refused, and what was computed was done all the same, in another way.
    bool passedOver();

    // So little of the device is free that a library may have found no room for its handles. Never
    // throws: a device that does not answer is not full.
    bool isDeviceFull() const;

private:
    const c10::Device m_device;
    std::int64_t m_before; // the attempt
    std::int64_t m_told; // of all; those after them were passed over
    bool m_isTold = false; // passedOver
};

} // namespace accrue
