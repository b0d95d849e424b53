// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/fake_accelerator/device_memory.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include <c10/core/CachingDeviceAllocator.h>

namespace accrue::fake {

// The caching allocator of one device, with the sizes and the habits of LibTorch's on CUDA: blocks
// of whole 512 bytes, cut out of segments of 2 MiB (blocks of 1 MiB at most), 20 MiB (below 10) or
// whole 2 MiB, and kept for later. Fresh and freed blocks are spoilt. Any thread.
class BlockCache {
public:
    using Stats = c10::CachingDeviceAllocator::DeviceStats;

    BlockCache(DeviceMemory& memory, c10::Device device, std::int64_t totalBytes);

    // Throws c10::OutOfMemoryError, after what is cached was given back and it did not help.
    void* allocate(std::size_t bytes, bool refused);
    void free(void* address); // of a block in use
    void empty();

    Stats stats() const;
    void resetPeak();
    void resetSums();

    void limit(std::int64_t bytes); // of what is reserved
    std::int64_t totalBytes() const { return m_total; }
    std::int64_t freeBytes() const;
    std::int64_t releasableBytes() const;
    void takeContext(); // what the driver takes at the first use

    // "block of 1024 bytes, 17 allocations old", for a process that is about to end.
    std::string describe(const void* address) const;

private:
    struct Block {
        char* begin;
        std::size_t bytes;
        bool small; // which pool
        bool used = false;
        std::size_t asked = 0; // bytes; 0: free
        std::int64_t number = 0; // which allocation
        Block* before = nullptr; // in the same segment
        Block* after = nullptr;
    };
    struct BySize {
        bool operator()(const Block* a, const Block* b) const;
    };
    using Pool = std::set<Block*, BySize>;
    using Selected = c10::CachingAllocator::StatTypes;

    Pool& poolOf(const Block& block) { return block.small ? m_small : m_large; }
    Block* findFree(std::size_t bytes);
    Block* addSegment(std::size_t bytes);
    void cut(Block& block, std::size_t bytes);
    void join(Block& block, Block* other);
    void use(Block& block, std::size_t asked);
    void release(); // segments without a block in use
    [[noreturn]] void throwOutOfMemory(std::size_t bytes);
    void report(void* block, std::int64_t bytes) const;
    std::int64_t allocated() const;
    std::int64_t reserved() const;
    std::int64_t freeNow() const;

    DeviceMemory& m_memory;
    const c10::Device m_device;
    const std::int64_t m_total;

    mutable std::mutex m_mutex; // guards all below
    Stats m_stats;
    std::int64_t m_limit;
    std::int64_t m_context = 0; // bytes
    std::int64_t m_allocations = 0;
    std::map<const char*, std::unique_ptr<Block>> m_blocks; // by address
    Pool m_small, m_large; // what is free
};

} // namespace accrue::fake
