// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <c10/core/Device.h>

namespace accrue {

// While it lives, the device gives its process no more than a card of `bytes` would: an allocation
// beyond throws c10::OutOfMemoryError, as on a real one, and those who report allocations
// (c10::MemoryReportingInfoBase) see everything as before.
//
// On the CPU it counts the blocks that LibTorch allocates while it lives, on any thread, until they
// are released, also after its end. On CUDA the card's other users count as they would on the
// smaller card: the context, other libraries and other processes take their part of `bytes`, and
// the caching allocator may reserve the rest (its memory fraction).
//
// One at a time in a process, made and ended on one thread while nobody allocates elsewhere.
class MemoryBudget {
public:
    // `bytes` > 0. Throws EngineError where the device has less, or where others have taken it all.
    MemoryBudget(at::Device device, std::int64_t bytes);
    ~MemoryBudget(); // the device is whole again
    MemoryBudget(const MemoryBudget&) = delete;
    MemoryBudget& operator=(const MemoryBudget&) = delete;

    // On CUDA others hold more once a first window has loaded libraries and kernels: from here on
    // that is theirs, too.
    void recount();

    std::int64_t bytes() const { return m_bytes; }

private:
    const at::Device m_device;
    const std::int64_t m_bytes;
};

} // namespace accrue
