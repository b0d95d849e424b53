// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_accelerator/device_allocator.h"

#include <cstring>

#include "tests/support/fake_accelerator/card.h"
#include "tests/support/fake_accelerator/fault_plan.h"

namespace accrue::fake {
namespace {

c10::Device deviceAt(c10::DeviceIndex index)
{
    return { c10::kPrivateUse1, index };
}

// Asks nothing of the device, and so cannot fail.
void release(void* block)
{
    if (block == nullptr)
        return;
    Card* const owner = cardAt(block);
    TORCH_CHECK(owner != nullptr, "invalid device pointer: ", block);
    if (FaultPlan::instance().happens(Fault::Free))
        owner->stream.loseQuietly();
    owner->cache.free(block);
}

const bool s_registered = [] {
    c10::SetAllocator(c10::kPrivateUse1, &DeviceAllocator::instance());
    return true;
}();

} // namespace

DeviceAllocator& DeviceAllocator::instance()
{
    static auto* const allocator = new DeviceAllocator; // storages are freed after static objects
    return *allocator;
}

c10::DataPtr DeviceAllocator::allocate(std::size_t bytes)
{
    const c10::Device device = deviceAt(currentDevice());
    if (bytes == 0)
        return { nullptr, nullptr, &release, device };
    Card& owner = card(device);
    owner.use();
    void* const block =
        owner.cache.allocate(bytes, FaultPlan::instance().nextAllocationIsRefused());
    return { block, block, &release, device };
}

c10::DeleterFnPtr DeviceAllocator::raw_deleter() const
{
    return &release;
}

void DeviceAllocator::copy_data(void* to, const void* from, std::size_t bytes) const
{
    Card& owner = *cardAt(to);
    owner.beginKernel();
    std::memcpy(owner.memory.ofKernels(to), owner.memory.ofKernels(from), bytes);
}

void DeviceAllocator::emptyCache(c10::MempoolId_t)
{
    for (Card& one : cards()) {
        one.stream.throwIfFailed();
        one.cache.empty();
    }
}

c10::CachingDeviceAllocator::DeviceStats DeviceAllocator::getDeviceStats(c10::DeviceIndex device)
{
    requireInitialized();
    return card(deviceAt(device)).cache.stats();
}

void DeviceAllocator::resetAccumulatedStats(c10::DeviceIndex device)
{
    requireInitialized();
    card(deviceAt(device)).cache.resetSums();
}

void DeviceAllocator::resetPeakStats(c10::DeviceIndex device)
{
    requireInitialized();
    card(deviceAt(device)).cache.resetPeak();
}

std::pair<size_t, size_t> DeviceAllocator::getMemoryInfo(c10::DeviceIndex device)
{
    Card& one = card(deviceAt(device));
    one.stream.throwIfFailed();
    one.use(); // as cudaMemGetInfo does
    return { static_cast<std::size_t>(one.cache.freeBytes()),
        static_cast<std::size_t>(one.cache.totalBytes()) };
}

void DeviceAllocator::requireInitialized() const
{
    TORCH_CHECK(m_initialized, "Allocator not initialized for device fake: did you call init?");
}

} // namespace accrue::fake
