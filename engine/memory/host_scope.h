// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace accrue {

// What this thread allocates on the CPU meanwhile is not the device's: snapshots for a checkpoint,
// which a run on CUDA holds on the host. No budget counts or refuses it, no meter counts it. Costs
// nothing.
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
