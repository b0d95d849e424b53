// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/memory_budget.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>
#include <unordered_map>

#include <ATen/Context.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/util/Exception.h>

#include "engine/accelerator/accelerators.h"
#include "engine/door/engine_error.h"
#include "engine/door/host_memory.h"
#include "engine/door/memory_fit.h"
#include "engine/experiment/format.h"
#include "engine/memory/host_scope.h"
#include "engine/memory/memory_meter.h"

namespace accrue {
namespace {

// Takes the place of LibTorch's CPU allocator and stays there, because storages keep a pointer to
// the allocator they came from. Without a budget it only passes calls on.
class BudgetedAllocator final : public c10::Allocator {
public:
    static BudgetedAllocator& installed()
    {
        static BudgetedAllocator* const allocator = [] {
            auto* const made = new BudgetedAllocator(c10::GetCPUAllocator());
            constexpr std::uint8_t kPriority = 10;
            c10::SetCPUAllocator(made, kPriority);
            return made;
        }();
        return *allocator;
    }

    void setLimit(std::int64_t bytes) { m_limit = bytes; } // 0: none

    c10::DataPtr allocate(std::size_t size) override
    {
        const auto bytes = static_cast<std::int64_t>(size);
        if (m_limit == 0 || HostScope::isOpen() || bytes == 0)
            return m_inner->allocate(size);
        take(bytes);
        try {
            c10::DataPtr block = m_inner->allocate(size);
            remember(block, bytes);
            return block;
        } catch (...) {
            m_live -= bytes;
            throw;
        }
    }

    // oneDNN allocates by raw_allocate, which wants a block's address to be its context, so sizes
    // are kept by address. It may release what it allocated before this allocator was installed.
    c10::DeleterFnPtr raw_deleter() const override { return &release; }

    void copy_data(void* to, const void* from, std::size_t size) const override
    {
        default_copy_data(to, from, size);
    }

private:
    explicit BudgetedAllocator(c10::Allocator* inner)
        : m_inner(inner)
    {
    }

    void take(std::int64_t bytes)
    {
        const std::int64_t before = m_live.fetch_add(bytes);
        const std::int64_t limit = m_limit;
        if (before + bytes <= limit)
            return;
        m_live -= bytes;
        c10::profiledCPUMemoryReporter().OutOfMemory(static_cast<std::size_t>(bytes));
        TORCH_CHECK_WITH(OutOfMemoryError, false, "The memory budget of ", formatBytes(limit),
            " is used up: ", formatBytes(before), " are held, and ", formatBytes(bytes),
            " more were asked for.");
    }

    void remember(c10::DataPtr& block, std::int64_t bytes)
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_sizes[block.get()] = bytes;
        TORCH_CHECK(block.compare_exchange_deleter(m_inner->raw_deleter(), &release),
            "LibTorch's CPU allocator releases blocks in a way that is not known.");
    }

    // Forgotten before it is released: its address may be another block's at once.
    void forget(void* block)
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        const auto found = m_sizes.find(block);
        if (found == m_sizes.end())
            return;
        m_live -= found->second;
        m_sizes.erase(found);
    }

    static void release(void* block)
    {
        BudgetedAllocator& allocator = installed();
        allocator.forget(block);
        allocator.m_inner->raw_deleter()(block);
    }

    c10::Allocator* const m_inner;
    std::atomic<std::int64_t> m_limit { 0 }; // bytes; 0: none
    std::atomic<std::int64_t> m_live { 0 }; // bytes that were counted and not released
    std::mutex m_mutex; // guards m_sizes
    std::unordered_map<void*, std::int64_t> m_sizes; // bytes of what was counted
};

[[noreturn]] void throwTooLarge(at::Device device, std::int64_t bytes, std::int64_t total)
{
    throw EngineError(sentenceOnLargeBudget(bytes, deviceId(device), total));
}

void beginOnCpu(std::int64_t bytes)
{
    const std::int64_t total = hostMemory().totalBytes;
    if (total >= 0 && bytes > total)
        throwTooLarge(at::kCPU, bytes, total);
    BudgetedAllocator::installed().setLimit(bytes);
}

// What of the device is taken and not by the caching allocator: contexts, libraries, other
// processes.
std::int64_t othersOn(at::Device device)
{
    c10::DeviceAllocator& allocator = *c10::getDeviceAllocator(device.type());
    const auto [free, total] = allocator.getMemoryInfo(device.index());
    const auto stats = allocator.getDeviceStats(device.index());
    constexpr auto kAll = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
    return heldByOthers(total, free, stats.reserved_bytes[kAll].current);
}

const Accelerator& acceleratorOf(at::Device device)
{
    if (accelerator() == nullptr)
        throw EngineError("memory.budget cannot be enforced on " + deviceId(device)
            + ": this engine was built without CUDA.");
    return *accelerator();
}

// The caching allocator may reserve what others leave of `bytes`.
void allowOnDevice(at::Device device, std::int64_t bytes, std::int64_t others)
{
    acceleratorOf(device).limitMemory(device, std::max<std::int64_t>(bytes - others, 0));
}

void beginOnDevice(at::Device device, std::int64_t bytes)
{
    const Accelerator& card = acceleratorOf(device);
    at::globalContext().lazyInitDevice(device.type());
    c10::DeviceAllocator& allocator = *c10::getDeviceAllocator(device.type());
    allocator.emptyCache(); // what a run before has left may be more than the budget
    allocator.allocate(1); // the context
    const std::int64_t others = othersOn(device);
    const std::int64_t total =
        card.devices().at(static_cast<std::size_t>(device.index())).totalBytes;
    if (bytes > total)
        throwTooLarge(device, bytes, total);
    if (bytes <= others)
        throw EngineError("memory.budget is " + formatBytes(bytes)
            + ", but CUDA itself and other programs hold " + formatBytes(others) + " of "
            + deviceId(device) + "; give a larger one.");
    allowOnDevice(device, bytes, others);
}

} // namespace

MemoryBudget::MemoryBudget(at::Device device, std::int64_t bytes)
    : m_device(device)
    , m_bytes(bytes)
{
    if (m_device.is_cpu())
        beginOnCpu(bytes);
    else
        beginOnDevice(m_device, bytes);
}

MemoryBudget::~MemoryBudget()
{
    if (m_device.is_cpu())
        BudgetedAllocator::installed().setLimit(0);
    else
        acceleratorOf(m_device).liftMemoryLimit(m_device);
}

void MemoryBudget::recount()
{
    if (!m_device.is_cpu())
        allowOnDevice(m_device, m_bytes, othersOn(m_device));
}

} // namespace accrue
