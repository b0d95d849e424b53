// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <c10/core/Device.h>

namespace accrue {

// What the counters of a device's caching allocator show before an exception does, or where there
// is none. The CPU's allocator has no counters: it has no cache, and throws each time.

// Detects refused allocations that no exception reports: cuDNN's wrapper tries its algorithms one
// after the other, and treats a refused workspace like an algorithm that does not suit. One thread.
class FailureWatch {
public:
    // Counts from now on. The allocator must know the device already, which MemoryMeter ensures.
    explicit FailureWatch(c10::Device device);

    void begin(); // an attempt
    bool sawSome() const; // since the attempt began
    // The attempt has failed with an out-of-memory error, so its refusals are reported and do not
    // count as hidden.
    void attemptFailed();
    // Returns true once: allocations were refused, and a library computed the result in another
    // way.
    bool hasHidden();
    // So little of the device is free that a library may have found no room for its handles. Never
    // throws: a device that does not answer counts as not full.
    bool isDeviceFull() const;

private:
    const c10::Device m_device;
    std::int64_t m_before; // failures before the attempt
    std::int64_t m_reported; // of all failures, those that an exception reported
    bool m_hasReturned = false; // true, by hasHidden
};

// How often the device's caching allocator has found no room, freed its cache and retried since the
// process began; 0 on the CPU.
std::int64_t allocationRetries(c10::Device device);

// Notices an allocator that retries again and again: memory is so nearly full that windows wait for
// it, and slightly more would be an out-of-memory error. Once or twice is normal, when the cache
// was filled with blocks of another size.
class RetryWatch {
public:
    static constexpr int kPatience = 3; // windows

    explicit RetryWatch(std::int64_t retriesBefore)
        : m_retries(retriesBefore)
        , m_first(retriesBefore)
    {
    }

    // `retries`: allocationRetries after a window. Returns true once, after kPatience windows with
    // retries.
    bool windowEnded(std::int64_t retries);
    std::int64_t retries() const { return m_retries - m_first; } // in all of them

private:
    std::int64_t m_retries;
    std::int64_t m_first;
    int m_windows = 0; // that had some
};

} // namespace accrue
