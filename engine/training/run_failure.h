// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"
#include "engine/memory/failure_watch.h"

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include <c10/core/Device.h>

namespace accrue {

// What is wrong with the recipe, the data or the files that a run was to be prepared from, a
// sentence; empty: `failure` is another one, of the machine, or null.
std::string wrongInputIn(const std::exception_ptr& failure);

// How a run ends that an exception ended.
struct RunFailure {
    RunOutcome outcome = RunOutcome::Failed;
    std::string message; // for the user: no C++ back-trace
};

// Whether an allocator of LibTorch or of the host had not enough memory.
bool isOutOfMemory(const std::exception_ptr& failure);
// Likewise of what was computed on a device since `watch` began, whose libraries say it in words
// that may also mean something else.
bool isOutOfMemory(const std::exception_ptr& failure, const FailureWatch& watch);

// What is known where memory was short, for the sentence about it.
struct MemoryNeed {
    std::int64_t micro = 0; // samples a micro-batch; 0: none was begun
    bool smallest = false; // and fewer there cannot be
    std::int64_t inUse = 0; // bytes of the device, at the most; 0: not known
    std::optional<Bytes> budget {};
    bool wasShort = false; // it is known that memory was what was missing
};

// Where the device's own library failed, the device is asked whether it still answers, and is lost
// if it does not (markLost of accelerators.h).
RunFailure describeFailure(
    const std::exception_ptr& failure, at::Device device, const MemoryNeed& need = {});

} // namespace accrue
