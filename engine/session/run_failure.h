// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"
#include "engine/memory/allocator_watch.h"

#include <cstdint>
#include <exception>
#include <optional>

#include <c10/core/Device.h>

namespace accrue {

// How an exception ends a run.
struct RunFailure {
    RunOutcome outcome = RunOutcome::Failed;
    Message message; // for the user: no C++ back-trace
};

// Whether an allocator of LibTorch or of the host had not enough memory.
bool isOutOfMemory(const std::exception_ptr& failure);
// Also recognises the errors of a device's libraries whose words may mean something else: `watch`
// knows whether allocations were refused since it began.
bool isOutOfMemory(const std::exception_ptr& failure, const FailureWatch& watch);

// What is known about an out-of-memory error, for the message about it.
struct MemoryNeed {
    std::int64_t micro = 0; // samples per micro-batch; 0: none was begun
    bool smallest = false; // micro-batches cannot be smaller
    std::int64_t inUse = 0; // peak bytes of the device; 0: not known
    std::optional<Bytes> budget {};
    bool isCertain = false; // it is known that memory was exhausted, whatever the exception says
};

// If the device's own library failed, checks whether the device still answers, and marks it as lost
// if it does not (markLost of accelerators.h).
RunFailure describeFailure(
    const std::exception_ptr& failure, at::Device device, const MemoryNeed& need = {});

} // namespace accrue
