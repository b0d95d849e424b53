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
// Also recognises errors of a device's libraries whose texts may mean something else: `watch` shows
// whether allocations were refused since it began.
bool isOutOfMemory(const std::exception_ptr& failure, const FailureWatch& watch);

// What is known about an out-of-memory error, for the message about it.
struct MemoryNeed {
    std::int64_t micro = 0; // samples per micro-batch; 0: none was begun
    bool smallest = false; // micro-batches cannot be smaller
    std::int64_t inUse = 0; // peak bytes of the device; 0: unknown
    std::optional<Bytes> budget {};
    // it is certain that memory was exhausted, whatever the exception reports
    bool isCertain = false;
};

// If the device's own library failed, checks whether the device still answers, and marks it as lost
// if it does not (markLost of accelerators.h).
RunFailure describeFailure(
    const std::exception_ptr& failure, at::Device device, const MemoryNeed& need = {});

} // namespace accrue
