// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include <ATen/core/CachingHostAllocator.h>

namespace accrue::fake {

struct Card;

// Pinned host memory: blocks are retained and reused once the devices that copy to and from them
// are done. Any thread.
class PinnedAllocator final : public at::HostAllocator {
public:
    static PinnedAllocator& instance();

    c10::DataPtr allocate(std::size_t bytes) override;
    c10::DeleterFnPtr raw_deleter() const override;
    void copy_data(void* to, const void* from, std::size_t bytes) const override;

    bool record_event(void* block, void* context, c10::Stream stream) override;
    void empty_cache() override;
    at::HostStats get_stats() override { return {}; }
    void reset_accumulated_stats() override { }
    void reset_peak_stats() override { }

    bool contains(const void* address) const;
    // A device copies to or from `address`, which is in a block.
    void usedBy(const void* address, Card& card);

private:
    struct Block {
        std::size_t bytes;
        bool used = true;
        std::vector<Card*> copiedBy {}; // since it was given out
        std::map<Card*, std::uint64_t> until {}; // what of their streams it waits for; free blocks
    };

    static void release(void* block);
    void giveBack(void* block);
    bool isQuiet(Block& block);
    std::map<const char*, Block>::const_iterator blockOf(const void* address) const;

    mutable std::mutex m_mutex; // guards all below
    std::map<const char*, Block> m_blocks;
};

} // namespace accrue::fake
