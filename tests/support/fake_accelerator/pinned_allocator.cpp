// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_accelerator/pinned_allocator.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "tests/support/fake_accelerator/card.h"
#include "tests/support/fake_accelerator/fault_plan.h"

namespace accrue::fake {
namespace {

constexpr std::size_t kAlignment = 64;

const bool s_registered = [] {
    at::setHostAllocator(c10::kPrivateUse1, &PinnedAllocator::instance());
    return true;
}();

} // namespace

PinnedAllocator& PinnedAllocator::instance()
{
    static auto* const allocator = new PinnedAllocator; // storages are freed after static objects
    return *allocator;
}

c10::DataPtr PinnedAllocator::allocate(std::size_t bytes)
{
    if (bytes == 0)
        return { nullptr, nullptr, &release, c10::Device(c10::kCPU) };
    const std::lock_guard<std::mutex> lock(m_mutex);
    const std::size_t size = std::max(std::bit_ceil(bytes), kAlignment);
    auto found = std::find_if(m_blocks.begin(), m_blocks.end(), [&](auto& entry) {
        return !entry.second.used && entry.second.bytes == size && isQuiet(entry.second);
    });
    if (found == m_blocks.end())
        found =
            m_blocks
                .emplace(static_cast<char*>(std::aligned_alloc(kAlignment, size)), Block { size })
                .first;
    found->second = Block { size };
    void* const block = const_cast<char*>(found->first);
    std::memset(block, 0xFF, size);
    return { block, block, &release, c10::Device(c10::kCPU) };
}

c10::DeleterFnPtr PinnedAllocator::raw_deleter() const
{
    return &release;
}

void PinnedAllocator::copy_data(void* to, const void* from, std::size_t bytes) const
{
    default_copy_data(to, from, bytes);
}

void PinnedAllocator::release(void* block)
{
    if (block != nullptr)
        instance().giveBack(block);
}

// As LibTorch's on CUDA it records an event on each stream that used the block, which throws where
// the device has failed.
void PinnedAllocator::giveBack(void* block)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    Block& given = m_blocks.at(static_cast<char*>(block));
    given.used = false;
    if (FaultPlan::instance().happens(Fault::Free))
        cards().at(static_cast<std::size_t>(currentDevice())).stream.loseQuietly();
    for (Card* const user : given.copiedBy)
        given.until[user] = user->stream.mark();
}

bool PinnedAllocator::isQuiet(Block& block)
{
    std::erase_if(
        block.until, [](const auto& entry) { return entry.first->stream.isDone(entry.second); });
    return block.until.empty();
}

bool PinnedAllocator::record_event(void* block, void*, c10::Stream stream)
{
    if (!contains(block))
        return false;
    usedBy(block, card(stream.device()));
    return true;
}

void PinnedAllocator::empty_cache()
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    for (auto next = m_blocks.begin(); next != m_blocks.end();) {
        if (next->second.used || !isQuiet(next->second)) {
            ++next;
            continue;
        }
        std::free(const_cast<char*>(next->first));
        next = m_blocks.erase(next);
    }
}

std::map<const char*, PinnedAllocator::Block>::const_iterator PinnedAllocator::blockOf(
    const void* address) const
{
    const auto after = m_blocks.upper_bound(static_cast<const char*>(address));
    if (after == m_blocks.begin())
        return m_blocks.end();
    const auto found = std::prev(after);
    return address < found->first + found->second.bytes ? found : m_blocks.end();
}

bool PinnedAllocator::contains(const void* address) const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return blockOf(address) != m_blocks.end();
}

void PinnedAllocator::usedBy(const void* address, Card& card)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    const auto found = blockOf(address);
    if (found == m_blocks.end())
        return;
    auto& users = m_blocks.at(found->first).copiedBy;
    if (std::find(users.begin(), users.end(), &card) == users.end())
        users.push_back(&card);
}

} // namespace accrue::fake
