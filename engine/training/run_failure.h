// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include <c10/core/Device.h>

namespace accrue {

// How a run ends that an exception ended.
struct RunFailure {
    RunOutcome outcome = RunOutcome::Failed;
    std::string message; // for the user: no C++ back-trace
};

// Whether an allocator of LibTorch or of the host had not enough memory.
bool isOutOfMemory(const std::exception_ptr& failure);

// What is known where memory was short, for the sentence about it.
struct MemoryNeed {
    std::int64_t micro = 0; // samples a micro-batch; 0: none was begun
    bool smallest = false; // and fewer there cannot be
    std::int64_t inUse = 0; // bytes of the device, at the most; 0: not known
    std::optional<Bytes> budget {};
};

RunFailure describeFailure(
    const std::exception_ptr& failure, at::Device device, const MemoryNeed& need = {});

} // namespace accrue
