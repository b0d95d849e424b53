// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/allocation_meter.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include <c10/core/Allocator.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

namespace accrue {
namespace {

const c10::CachingAllocator::Stat& aggregate(const c10::CachingAllocator::StatArray& stats)
{
    return stats[static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE)];
}

} // namespace

// Own sizes by address: LibTorch's running total misses blocks that other threads release, and
// would keep them for ever.
class AllocationMeter::CpuReporter : public c10::MemoryReportingInfoBase {
public:
    void reportMemoryUsage(
        void* block, int64_t size, size_t /*total*/, size_t /*reserved*/, c10::Device) override
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        if (size > 0)
            add(block, size);
        else
            remove(block);
    }

    bool memoryProfilingEnabled() const override { return true; }

    std::int64_t live() const
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        return m_live;
    }

    std::int64_t peak() const
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        return m_peak;
    }

    void resetPeak()
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_peak = m_live;
    }

private:
    void add(void* block, std::int64_t size)
    {
        std::int64_t& held = m_sizes[block];
        m_live += size - held;
        held = size;
        m_peak = std::max(m_peak, m_live);
    }

    void remove(void* block)
    {
        const auto found = m_sizes.find(block);
        if (found == m_sizes.end())
            return; // allocated before the meter began
        m_live -= found->second;
        m_sizes.erase(found);
    }

    mutable std::mutex m_mutex; // guards all below: operators may allocate on pool threads
    std::unordered_map<void*, std::int64_t> m_sizes; // bytes
    std::int64_t m_live = 0; // bytes
    std::int64_t m_peak = 0; // bytes
};

struct AllocationMeter::Installed {
    std::shared_ptr<CpuReporter> reporter = std::make_shared<CpuReporter>();
    c10::DebugInfoGuard guard { c10::DebugInfoKind::PROFILER_STATE, reporter };
};

AllocationMeter::AllocationMeter(at::Device device)
    : m_device(device)
{
    if (m_device.is_cpu())
        m_cpu = std::make_unique<Installed>();
    else
        resetPeak();
}

AllocationMeter::~AllocationMeter() = default;

std::int64_t AllocationMeter::liveBytes() const
{
    if (m_cpu)
        return m_cpu->reporter->live();
    const auto stats = c10::getDeviceAllocator(m_device.type())->getDeviceStats(m_device.index());
    return aggregate(stats.allocated_bytes).current;
}

std::int64_t AllocationMeter::peakBytes() const
{
    if (m_cpu)
        return m_cpu->reporter->peak();
    const auto stats = c10::getDeviceAllocator(m_device.type())->getDeviceStats(m_device.index());
    return aggregate(stats.allocated_bytes).peak;
}

void AllocationMeter::resetPeak()
{
    if (m_cpu)
        m_cpu->reporter->resetPeak();
    else
        c10::getDeviceAllocator(m_device.type())->resetPeakStats(m_device.index());
}

} // namespace accrue
