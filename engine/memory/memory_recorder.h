// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/layer_marks.h"
#include "engine/memory/memory_ledger.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <c10/core/Allocator.h>

namespace torch::autograd {
struct Node;
}

namespace accrue {

// Records the allocator events of one device with the layer and node that caused them, and adds
// them to a ledger when the ledger is read: while a network computes, an event costs a push_back.
//
// LibTorch's CPU allocator and its caching allocator on CUDA report alike, with the sizes that
// their own statistics count, to the object that is installed as PROFILER_STATE on the thread and
// on the threads of its backward passes. Reports may therefore come from several threads, although
// a session's backward passes run on its own (DeviceScope); hence the mutex.
class MemoryRecorder final : public c10::MemoryReportingInfoBase, public LayerObserver {
public:
    MemoryRecorder(at::Device device, const MemoryLedger& ledger)
        : m_device(device)
        , m_ledger(ledger)
    {
    }

    // The one that is installed on this thread; null: none is.
    static MemoryRecorder* ofThread();

    void reportMemoryUsage(
        void* block, int64_t bytes, size_t allocated, size_t reserved, c10::Device device) override;
    bool memoryProfilingEnabled() const override { return true; }

    void layerBegan(const std::string* name) noexcept override;
    // An operator that no other operator called; null: it returned.
    void operatorBegan(const char* name);

    // The previous phase must have ended. `reserved`: bytes that the allocator reserves; 0 on the
    // CPU.
    void beginPhase(MemoryPhase phase, std::int64_t microBatch, std::int64_t samples,
        std::int64_t reserved, const MemoryLedger::Owners& owners);
    std::optional<PhaseMemory> endPhase(); // nullopt: none was open

    // Adds all noted events, then calls `visit(ledger)`, which must not call the allocator.
    template <typename Visit> auto withLedger(Visit visit)
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        enterNoted();
        return visit(m_ledger);
    }

private:
    void noteNode();
    const std::string* nameOf(const torch::autograd::Node& node);
    const std::string* kept(const std::string& name) { return &*m_names.insert(name).first; }
    void enterNoted();

    const at::Device m_device;

    std::mutex m_mutex; // guards all members below
    MemoryLedger m_ledger;
    std::vector<MemoryEvent> m_events; // not in the ledger yet
    bool m_inBackward = false;
    const std::type_info* m_node = nullptr; // last recorded; null: none
    std::uint64_t m_nodeSequence = 0;
    std::unordered_set<std::string> m_names; // events point to them
    std::unordered_map<const std::type_info*, const std::string*> m_nodeNames; // in m_names
};

} // namespace accrue
