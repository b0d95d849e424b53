// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/memory_recorder.h"

#include <ATen/SequenceNumber.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <torch/csrc/autograd/function.h>

#include "engine/memory/host_scope.h"

namespace accrue {
namespace {

// More than any forward pass has; only an evaluation of many passes reaches it.
constexpr std::size_t kMostEvents = 16384;

// "torch::autograd::AccumulateGrad" to "AccumulateGrad"
std::string withoutNamespace(const std::string& name)
{
    const std::size_t colon = name.rfind(':');
    return colon == std::string::npos ? name : name.substr(colon + 1);
}

} // namespace

MemoryRecorder* MemoryRecorder::ofThread()
{
    return dynamic_cast<MemoryRecorder*>(
        c10::ThreadLocalDebugInfo::get(c10::DebugInfoKind::PROFILER_STATE));
}

// Called by the allocator for every block, so it only records. The events enter the ledger at the
// end of a phase, or when an evaluation of many passes has filled the list.
void MemoryRecorder::reportMemoryUsage(
    void* block, int64_t bytes, size_t allocated, size_t reserved, c10::Device device)
{
    if (device.type() != m_device.type() || device.index() != m_device.index())
        return;
    if (bytes > 0 && m_device.is_cpu() && HostScope::isOpen())
        return;
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (m_inBackward && bytes > 0)
        noteNode();
    MemoryEvent& event = m_events.emplace_back();
    event.block = block;
    event.bytes = bytes;
    if (!m_device.is_cpu()) { // the CPU's total misses what other threads release
        event.allocated = static_cast<std::int64_t>(allocated);
        event.reserved = static_cast<std::int64_t>(reserved);
    }
    if (m_events.size() >= kMostEvents)
        enterNoted();
}

// The sequence number is the one that the layer's first autograd node will have.
void MemoryRecorder::layerBegan(const std::string* name) noexcept
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (!m_ledger.inPhase())
        return;
    m_events.push_back({ .kind = MemoryEvent::Kind::Layer,
        .name = name == nullptr ? nullptr : kept(*name),
        .sequence = at::sequence_number::peek() });
}

void MemoryRecorder::operatorBegan(const char* name)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_events.push_back(
        { .kind = MemoryEvent::Kind::Operator, .name = name == nullptr ? nullptr : kept(name) });
}

void MemoryRecorder::beginPhase(MemoryPhase phase, std::int64_t microBatch, std::int64_t samples,
    std::int64_t reserved, const MemoryLedger::Owners& owners)
{
    withLedger([&](MemoryLedger& ledger) {
        ledger.setReserved(reserved);
        ledger.beginPhase(phase, microBatch, samples, owners);
        m_inBackward = phase == MemoryPhase::Backward;
        m_node = nullptr;
    });
}

std::optional<PhaseMemory> MemoryRecorder::endPhase()
{
    return withLedger([&](MemoryLedger& ledger) -> std::optional<PhaseMemory> {
        m_inBackward = false;
        if (!ledger.inPhase())
            return std::nullopt;
        return ledger.endPhase();
    });
}

// Autograd knows on the allocating thread which node works. A node allocates several blocks, so it
// is recorded only when it changes.
void MemoryRecorder::noteNode()
{
    const auto node = torch::autograd::get_current_node();
    const std::type_info* type = nullptr;
    if (node) {
        const torch::autograd::Node& typed = *node;
        type = &typeid(typed);
    }
    const std::uint64_t sequence = node ? node->sequence_nr() : 0;
    if (type == m_node && sequence == m_nodeSequence)
        return;
    m_node = type;
    m_nodeSequence = sequence;
    m_events.push_back({ .kind = MemoryEvent::Kind::Node,
        .name = node ? nameOf(*node) : nullptr,
        .sequence = sequence });
}

const std::string* MemoryRecorder::nameOf(const torch::autograd::Node& node)
{
    const auto [found, isNew] = m_nodeNames.try_emplace(&typeid(node));
    if (isNew)
        found->second = kept(withoutNamespace(node.name()));
    return found->second;
}

void MemoryRecorder::enterNoted()
{
    m_ledger.add(m_events);
    m_events.clear();
}

} // namespace accrue
