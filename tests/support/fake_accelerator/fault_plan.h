// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/fake_accelerator/fake_accelerator.h"

#include <atomic>
#include <mutex>
#include <string>

namespace accrue::fake {

// What is going to fail. One for all devices, as the tests want it. Any thread.
class FaultPlan {
public:
    static FaultPlan& instance();

    void set(Fault fault, std::int64_t number, bool stays);
    // Tells that `fault` could happen now; true: it does.
    bool happens(Fault fault);
    bool stays() const;

    void refuseAllocation(std::int64_t number);
    std::int64_t allocations() const;
    bool nextAllocationIsRefused();

private:
    FaultPlan();

    mutable std::mutex m_mutex; // guards all below
    Fault m_fault = Fault::None;
    std::int64_t m_left = 0; // until it happens; 0: it does not
    bool m_stays = true;
    std::string m_once; // a file that keeps the fault from happening again; empty: none
    std::int64_t m_allocations = 0;
    std::int64_t m_refused = 0;
};

[[noreturn]] void throwLost();
[[noreturn]] void throwPassing();

} // namespace accrue::fake
