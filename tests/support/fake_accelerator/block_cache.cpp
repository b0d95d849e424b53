// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_accelerator/block_cache.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include <c10/core/Allocator.h>
#include <c10/util/Exception.h>

#include "engine/base/format.h"

namespace accrue::fake {
namespace {

using c10::CachingAllocator::StatType;

constexpr std::size_t kMiB = std::size_t { 1 } << 20;
constexpr std::size_t kUnit = 512;
constexpr std::size_t kLargestSmall = kMiB;
constexpr std::size_t kSmallSegment = 2 * kMiB;
constexpr std::size_t kLargeSegment = 20 * kMiB;
constexpr std::size_t kOwnSegment = 10 * kMiB; // blocks from here on have one
constexpr std::int64_t kContext = 64 << 20;

std::size_t roundedUp(std::size_t bytes, std::size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

std::size_t segmentFor(std::size_t bytes)
{
    if (bytes <= kLargestSmall)
        return kSmallSegment;
    return bytes < kOwnSegment ? kLargeSegment : roundedUp(bytes, 2 * kMiB);
}

c10::CachingAllocator::StatTypes countedFor(bool small)
{
    c10::CachingAllocator::StatTypes types {};
    types[static_cast<std::size_t>(StatType::AGGREGATE)] = true;
    types[static_cast<std::size_t>(small ? StatType::SMALL_POOL : StatType::LARGE_POOL)] = true;
    return types;
}

void change(c10::CachingAllocator::StatArray& stats, bool small, std::int64_t by)
{
    c10::CachingAllocator::for_each_selected_stat_type(countedFor(small), [&](std::size_t type) {
        if (by >= 0)
            stats[type].increase(static_cast<std::size_t>(by));
        else
            stats[type].decrease(static_cast<std::size_t>(-by));
    });
}

std::int64_t sumOf(const c10::CachingAllocator::StatArray& stats)
{
    return stats[static_cast<std::size_t>(StatType::AGGREGATE)].current;
}

template <typename Visit>
void forEachStat(c10::CachingDeviceAllocator::DeviceStats& stats, Visit visit)
{
    for (auto* const array : { &stats.allocation, &stats.segment, &stats.active,
             &stats.inactive_split, &stats.allocated_bytes, &stats.reserved_bytes,
             &stats.active_bytes, &stats.inactive_split_bytes, &stats.requested_bytes })
        for (auto& stat : *array)
            visit(stat);
}

} // namespace

bool BlockCache::BySize::operator()(const Block* a, const Block* b) const
{
    return std::tie(a->bytes, a->begin) < std::tie(b->bytes, b->begin);
}

BlockCache::BlockCache(DeviceMemory& memory, c10::Device device, std::int64_t totalBytes)
    : m_memory(memory)
    , m_device(device)
    , m_total(totalBytes)
    , m_limit(totalBytes)
{
}

void* BlockCache::allocate(std::size_t bytes, bool refused)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    ++m_allocations;
    const std::size_t rounded = std::max(roundedUp(bytes, kUnit), kUnit);
    Block* block = refused ? nullptr : findFree(rounded);
    if (block == nullptr && !refused)
        block = addSegment(rounded);
    if (block == nullptr) {
        release();
        ++m_stats.num_alloc_retries;
        block = refused ? nullptr : addSegment(rounded);
    }
    if (block == nullptr)
        throwOutOfMemory(bytes);
    cut(*block, rounded);
    use(*block, bytes);
    report(block->begin, static_cast<std::int64_t>(block->bytes));
    return block->begin;
}

BlockCache::Block* BlockCache::findFree(std::size_t bytes)
{
    Pool& pool = bytes <= kLargestSmall ? m_small : m_large;
    Block wanted {};
    wanted.bytes = bytes;
    const auto found = pool.lower_bound(&wanted);
    if (found == pool.end())
        return nullptr;
    Block* const block = *found;
    pool.erase(found);
    return block;
}

BlockCache::Block* BlockCache::addSegment(std::size_t bytes)
{
    const std::size_t size = segmentFor(bytes);
    const auto more = static_cast<std::int64_t>(size);
    if (reserved() + more > m_limit || more > freeNow())
        return nullptr;
    char* const begin = m_memory.take(size);
    if (begin == nullptr)
        return nullptr;
    auto& block = m_blocks[begin] = std::make_unique<Block>();
    block->begin = begin;
    block->bytes = size;
    block->small = bytes <= kLargestSmall;
    change(m_stats.segment, block->small, 1);
    change(m_stats.reserved_bytes, block->small, more);
    ++m_stats.num_device_alloc;
    return block.get();
}

// What is left stays in the pool, where it is worth keeping.
void BlockCache::cut(Block& block, std::size_t bytes)
{
    const std::size_t rest = block.bytes - bytes;
    if (rest < (block.small ? kUnit : kLargestSmall + 1))
        return;
    auto& left = m_blocks[block.begin + bytes] = std::make_unique<Block>();
    left->begin = block.begin + bytes;
    left->bytes = rest;
    left->small = block.small;
    left->before = &block;
    left->after = block.after;
    if (left->after != nullptr)
        left->after->before = left.get();
    block.after = left.get();
    block.bytes = bytes;
    poolOf(block).insert(left.get());
}

void BlockCache::use(Block& block, std::size_t asked)
{
    block.used = true;
    block.asked = asked;
    block.number = m_allocations;
    m_memory.spoil(block.begin, block.bytes);
    const auto bytes = static_cast<std::int64_t>(block.bytes);
    change(m_stats.allocation, block.small, 1);
    change(m_stats.active, block.small, 1);
    change(m_stats.allocated_bytes, block.small, bytes);
    change(m_stats.active_bytes, block.small, bytes);
    change(m_stats.requested_bytes, block.small, static_cast<std::int64_t>(asked));
}

void BlockCache::free(void* address)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    const auto found = m_blocks.find(static_cast<char*>(address));
    TORCH_CHECK(
        found != m_blocks.end() && found->second->used, "invalid device pointer: ", address);
    Block& block = *found->second;
    const auto bytes = static_cast<std::int64_t>(block.bytes);
    change(m_stats.allocation, block.small, -1);
    change(m_stats.active, block.small, -1);
    change(m_stats.allocated_bytes, block.small, -bytes);
    change(m_stats.active_bytes, block.small, -bytes);
    change(m_stats.requested_bytes, block.small, -static_cast<std::int64_t>(block.asked));
    m_memory.spoil(block.begin, block.bytes);
    block.used = false;
    join(block, block.before);
    join(block, block.after);
    poolOf(block).insert(&block);
    report(address, -bytes);
}

// `block` takes in a free neighbour.
void BlockCache::join(Block& block, Block* other)
{
    if (other == nullptr || other->used)
        return;
    poolOf(*other).erase(other);
    const bool isBefore = other == block.before;
    (isBefore ? block.before : block.after) = isBefore ? other->before : other->after;
    if (block.before != nullptr)
        block.before->after = &block;
    if (block.after != nullptr)
        block.after->before = &block;
    block.bytes += other->bytes;
    if (isBefore) {
        std::swap(m_blocks[other->begin], m_blocks[block.begin]);
        std::swap(block.begin, other->begin);
    }
    const char* const gone = other->begin;
    m_blocks.erase(gone);
}

void BlockCache::empty()
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    release();
}

void BlockCache::release()
{
    for (Pool* const pool : { &m_small, &m_large })
        for (auto next = pool->begin(); next != pool->end();) {
            Block* const block = *next++;
            if (block->before != nullptr || block->after != nullptr)
                continue;
            pool->erase(block);
            change(m_stats.segment, block->small, -1);
            change(m_stats.reserved_bytes, block->small, -static_cast<std::int64_t>(block->bytes));
            ++m_stats.num_device_free;
            m_memory.giveBack(block->begin, block->bytes);
            m_blocks.erase(block->begin);
        }
}

void BlockCache::throwOutOfMemory(std::size_t bytes)
{
    ++m_stats.num_ooms;
    c10::reportOutOfMemoryToProfiler(static_cast<std::int64_t>(bytes),
        static_cast<std::size_t>(allocated()), static_cast<std::size_t>(reserved()), m_device);
    TORCH_CHECK_WITH(OutOfMemoryError, false, "CUDA out of memory. Tried to allocate ",
        formatBytes(static_cast<std::int64_t>(bytes)), ". GPU ", int { m_device.index() },
        " has a total capacity of ", formatBytes(m_total), " of which ", formatBytes(freeNow()),
        " is free. Of the allocated memory ", formatBytes(allocated()),
        " is allocated by PyTorch, and ", formatBytes(reserved() - allocated()),
        " is reserved by PyTorch but unallocated.");
}

void BlockCache::report(void* block, std::int64_t bytes) const
{
    c10::reportMemoryUsageToProfiler(block, bytes, static_cast<std::size_t>(allocated()),
        static_cast<std::size_t>(reserved()), m_device);
}

BlockCache::Stats BlockCache::stats() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_stats;
}

void BlockCache::resetPeak()
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    forEachStat(m_stats, [](auto& stat) { stat.reset_peak(); });
}

void BlockCache::resetSums()
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    forEachStat(m_stats, [](auto& stat) { stat.reset_accumulated(); });
    m_stats.num_alloc_retries = m_stats.num_ooms = 0;
    m_stats.num_device_alloc = m_stats.num_device_free = 0;
}

void BlockCache::limit(std::int64_t bytes)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_limit = bytes;
}

void BlockCache::takeContext()
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_context = kContext;
}

std::int64_t BlockCache::freeBytes() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return freeNow();
}

std::int64_t BlockCache::releasableBytes() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    std::int64_t bytes = 0;
    for (const Pool* const pool : { &m_small, &m_large })
        for (const Block* const block : *pool)
            if (block->before == nullptr && block->after == nullptr)
                bytes += static_cast<std::int64_t>(block->bytes);
    return bytes;
}

std::string BlockCache::describe(const void* address) const
{
    const std::unique_lock<std::mutex> lock(m_mutex, std::try_to_lock);
    const auto after = m_blocks.upper_bound(static_cast<const char*>(address));
    if (!lock.owns_lock() || after == m_blocks.begin())
        return "no block of it";
    const Block& block = *std::prev(after)->second;
    if (address >= block.begin + block.bytes)
        return "no block of it";
    if (!block.used)
        return "a free block of " + std::to_string(block.bytes) + " bytes";
    return "a block of " + std::to_string(block.bytes) + " bytes, "
        + std::to_string(m_allocations - block.number) + " allocations old";
}

std::int64_t BlockCache::allocated() const
{
    return sumOf(m_stats.allocated_bytes);
}

std::int64_t BlockCache::reserved() const
{
    return sumOf(m_stats.reserved_bytes);
}

std::int64_t BlockCache::freeNow() const
{
    return m_total - m_context - reserved();
}

} // namespace accrue::fake
