// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <unordered_map>

#include <c10/core/CPUAllocator.h>

namespace accrue::test {

// Host memory of LibTorch that counts its allocations and refuses one of them. Installed from
// construction to destruction, one at a time; blocks may outlive it. Any thread.
class FailingAllocator : public c10::Allocator {
public:
    FailingAllocator()
        : m_before(c10::GetCPUAllocator())
    {
        c10::SetCPUAllocator(this, kPriority);
    }
    ~FailingAllocator() override { c10::SetCPUAllocator(m_before, kPriority); }
    FailingAllocator(const FailingAllocator&) = delete;
    FailingAllocator& operator=(const FailingAllocator&) = delete;

    // The `number`th allocation from now on, counted from 1, is refused, once.
    void refuse(std::int64_t number)
    {
        m_refused = number;
        m_count = 0;
    }
    // Every allocation of `bytes` or more is refused, until it is called again.
    void refuseFrom(std::size_t bytes) { m_least = bytes; }
    std::int64_t count() const { return m_count; } // since `refuse`
    bool hasRefused() const { return m_refused > 0 && m_count >= m_refused; }
    std::int64_t liveBytes() const // of blocks that it gave
    {
        const std::lock_guard<std::mutex> lock(blocks().mutex);
        return blocks().live;
    }

    c10::DataPtr allocate(std::size_t bytes) override
    {
        const bool refused = ++m_count == m_refused || bytes >= m_least;
        TORCH_CHECK_WITH(OutOfMemoryError, !refused, "DefaultCPUAllocator: can't allocate memory");
        void* block = m_before->raw_allocate(bytes);
        Blocks& all = blocks();
        const std::lock_guard<std::mutex> lock(all.mutex);
        all.live += static_cast<std::int64_t>(bytes);
        if (block)
            all.sizes[block] = static_cast<std::int64_t>(bytes);
        return { block, block, &release, c10::Device(c10::kCPU) };
    }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }
    void copy_data(void* to, const void* from, std::size_t bytes) const override
    {
        default_copy_data(to, from, bytes);
    }

private:
    static constexpr std::uint8_t kPriority = 200;
    struct Blocks {
        std::mutex mutex; // guards the rest
        std::unordered_map<void*, std::int64_t> sizes;
        std::int64_t live = 0;
    };

    static Blocks& blocks()
    {
        static Blocks all;
        return all;
    }
    static void release(void* block)
    {
        {
            const std::lock_guard<std::mutex> lock(blocks().mutex);
            const auto found = blocks().sizes.find(block);
            if (found != blocks().sizes.end()) {
                blocks().live -= found->second;
                blocks().sizes.erase(found);
            }
        }
        c10::GetDefaultCPUAllocator()->raw_deallocate(block);
    }

    c10::Allocator* const m_before;
    std::atomic<std::int64_t> m_count { 0 };
    std::atomic<std::int64_t> m_refused { 0 };
    std::atomic<std::size_t> m_least { std::numeric_limits<std::size_t>::max() };
};

} // namespace accrue::test
