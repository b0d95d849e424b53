// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <c10/core/Device.h>

namespace accrue {

// While it lives, the device provides its process with no more memory than a card of `bytes` would.
// An allocation beyond that throws c10::OutOfMemoryError, as on a real card, and reporters of
// allocations (c10::MemoryReportingInfoBase) see everything as before.
//
// On the CPU it counts the blocks that LibTorch allocates while it lives, on any thread, until they
// are released, also after its end. On CUDA the card's other users count as they would on the
// smaller card: the context, other libraries and other processes use part of `bytes`, and the
// caching allocator may reserve the rest (its memory fraction).
//
// One at a time in a process, created and destroyed on one thread while nobody allocates elsewhere.
class MemoryBudget {
public:
    // `bytes` > 0. Throws Error if the device has less, or if others already use that much.
    MemoryBudget(at::Device device, std::int64_t bytes);
    ~MemoryBudget(); // removes the limit
    MemoryBudget(const MemoryBudget&) = delete;
    MemoryBudget& operator=(const MemoryBudget&) = delete;

    // On CUDA a first window loads libraries and kernels, which use memory beside the allocator.
    // Measures again what others use, so that the budget also covers it from here on.
    void recount();

private:
    const at::Device m_device;
    const std::int64_t m_bytes;
};

} // namespace accrue
