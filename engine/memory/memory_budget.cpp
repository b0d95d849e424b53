// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/memory_budget.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>

#include <ATen/Context.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/util/Exception.h>

#include "engine/accelerator/accelerators.h"
#include "engine/base/error.h"
#include "engine/base/format.h"
#include "engine/base/host_memory.h"
#include "engine/insight/memory_fit.h"
#include "engine/memory/host_scope.h"
#include "engine/memory/memory_meter.h"

namespace accrue {
namespace {

// Replaces LibTorch's CPU allocator and stays installed, because storages hold a pointer to the
// allocator they came from. Without a budget it only forwards calls.
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

    // oneDNN allocates by raw_allocate, which requires a block's address to be its context, so
    // sizes are stored by address. It may release what it allocated before this allocator was
    // installed.
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

    // Counts first and checks afterwards, so that two threads cannot both use the last bytes.
    // Reporters receive a refusal as they would receive LibTorch's own.
    void take(std::int64_t bytes)
    {
        const std::int64_t before = m_live.fetch_add(bytes);
        const std::int64_t limit = m_limit;
        if (before + bytes <= limit)
            return;
        m_live -= bytes;
        c10::profiledCPUMemoryReporter().OutOfMemory(static_cast<std::size_t>(bytes));
        TORCH_CHECK_WITH(OutOfMemoryError, false, "The memory budget of ", formatBytes(limit),
            " is used up: ", formatBytes(before), " are in use, and ", formatBytes(bytes),
            " more were requested.");
    }

    // The deleter is replaced, not wrapped, so that the block still looks as oneDNN expects it.
    void remember(c10::DataPtr& block, std::int64_t bytes)
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_sizes[block.get()] = bytes;
        TORCH_CHECK(block.compare_exchange_deleter(m_inner->raw_deleter(), &release),
            "LibTorch's CPU allocator releases blocks in a way that is not known.");
    }

    // Called before the release: afterwards the address may belong to another block at once.
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
    throw Error(tooLargeBudget(bytes, deviceId(device), total));
}

// Compares the budget with all of the machine's memory, not with the free part: a run may never use
// all of its budget. A fit, which does, checks the free part itself (busyHost).
void beginOnCpu(std::int64_t bytes)
{
    const std::int64_t total = hostMemory().totalBytes;
    if (total >= 0 && bytes > total)
        throwTooLarge(at::kCPU, bytes, total);
    BudgetedAllocator::installed().setLimit(bytes);
}

const Accelerator& acceleratorOf(at::Device device)
{
    if (accelerator() == nullptr)
        throw Error(Message("memory.budget_without_cuda", { { "device", deviceId(device) } }));
    return *accelerator();
}

// The caching allocator may reserve the part of `bytes` that others do not use.
void allowOnDevice(at::Device device, std::int64_t bytes, std::int64_t others)
{
    acceleratorOf(device).limitMemory(device, std::max<std::int64_t>(bytes - others, 0));
}

void beginOnDevice(at::Device device, std::int64_t bytes)
{
    const Accelerator& card = acceleratorOf(device);
    at::globalContext().lazyInitDevice(device.type());
    c10::DeviceAllocator& allocator = *c10::getDeviceAllocator(device.type());
    allocator.emptyCache(); // the cache of an earlier run may be larger than the budget
    allocator.allocate(1); // creates the context, which is memory that others use
    const std::int64_t others = heldByOthers(device);
    const std::int64_t total =
        card.devices().at(static_cast<std::size_t>(device.index())).totalBytes;
    if (bytes > total)
        throwTooLarge(device, bytes, total);
    if (bytes <= others)
        throw Error(Message("memory.budget_taken",
            { { "budget", ByteCount { bytes } }, { "others", ByteCount { others } },
                { "device", deviceId(device) } }));
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

// Without this a budget would be exceeded by the libraries that the first window loads.
void MemoryBudget::recount()
{
    if (!m_device.is_cpu())
        allowOnDevice(m_device, m_bytes, heldByOthers(m_device));
}

} // namespace accrue
