// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace accrue {

// While it lives, CPU memory that this thread allocates does not count as the device's: snapshots
// for a checkpoint, which a run on CUDA holds on the host. No budget limits it and no meter counts
// it. Costs nothing.
class HostScope {
public:
    HostScope() { ++s_open; }
    ~HostScope() { --s_open; }
    HostScope(const HostScope&) = delete;
    HostScope& operator=(const HostScope&) = delete;

    static bool isOpen() { return s_open > 0; } // on this thread

private:
    static inline thread_local int s_open = 0;
};

} // namespace accrue
