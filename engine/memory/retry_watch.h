// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <c10/core/Device.h>

namespace accrue {

// How often the device's caching allocator, since the process began, found no room, gave back what
// it kept for later and asked again (num_alloc_retries); 0 on the CPU, whose allocator keeps
// nothing.
std::int64_t allocationRetries(at::Device device);

// Notices an allocator that keeps doing so: memory is so nearly full that windows wait for it, and
// a little more runs out. Once or twice it may be that another size fits what was kept no more.
class RetryWatch {
public:
    static constexpr int kPatience = 3; // windows

    explicit RetryWatch(std::int64_t retriesBefore)
        : m_retries(retriesBefore)
        , m_first(retriesBefore)
    {
    }

    // With allocationRetries after a window. True once: kPatience windows had some.
    bool windowEnded(std::int64_t retries);
    std::int64_t retries() const { return m_retries - m_first; } // in all of them

private:
    std::int64_t m_retries;
    std::int64_t m_first;
    int m_windows = 0; // that had some
};

} // namespace accrue
