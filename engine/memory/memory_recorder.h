// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/memory/memory_event.h"
#include "engine/memory/memory_ledger.h"

#include <mutex>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

#include <c10/core/Allocator.h>

namespace accrue {

// Notes what the allocator of one device reports, and enters it in a ledger when that is asked for:
// while a network computes, an event costs a push_back. LibTorch's CPU allocator and its caching
// allocator on CUDA report in the same way, with the sizes that their own statistics count, to who
// is installed as PROFILER_STATE on the thread (and on the threads of its backward passes, so
// reports may come from several).
class MemoryRecorder final : public c10::MemoryReportingInfoBase {
public:
    MemoryRecorder(at::Device device, const MemoryLedger& ledger)
        : m_device(device)
        , m_ledger(ledger)
    {
    }

    void reportMemoryUsage(
        void* block, int64_t bytes, size_t allocated, size_t reserved, c10::Device device) override;
    bool memoryProfilingEnabled() const override { return true; }

    // `visit(ledger)` once all that was noted is entered. Must not call the allocator.
    template <typename Visit> auto withLedger(Visit visit)
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        enter();
        return visit(m_ledger);
    }
    // The phase that is open or begins next lists owners where its peak is above that.
    void listOwnersAbove(std::int64_t bytes);

private:
    void enter();

    const at::Device m_device;

    std::mutex m_mutex; // guards all below
    MemoryLedger m_ledger;
    std::vector<MemoryEvent> m_events; // not entered yet
    std::int64_t m_ownersAbove = MemoryLedger::kNoOwners;
};

} // namespace accrue
