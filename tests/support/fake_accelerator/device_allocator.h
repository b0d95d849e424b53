// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include <c10/core/CachingDeviceAllocator.h>

namespace accrue::fake {

// The caching allocators of all devices, as LibTorch uses them. Any thread.
class DeviceAllocator final : public c10::DeviceAllocator {
public:
    static DeviceAllocator& instance();

    void initialize() { m_initialized = true; }

    c10::DataPtr allocate(std::size_t bytes) override;
    c10::DeleterFnPtr raw_deleter() const override;
    void copy_data(void* to, const void* from, std::size_t bytes) const override;

    bool initialized() override { return m_initialized; }
    void emptyCache(c10::MempoolId_t pool = { 0, 0 }) override;
    void recordStream(const c10::DataPtr&, c10::Stream) override { } // there is one
    c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex device) override;
    void resetAccumulatedStats(c10::DeviceIndex device) override;
    void resetPeakStats(c10::DeviceIndex device) override;
    std::pair<size_t, size_t> getMemoryInfo(c10::DeviceIndex device) override;

private:
    void requireInitialized() const;

    std::atomic<bool> m_initialized { false };
};

} // namespace accrue::fake
