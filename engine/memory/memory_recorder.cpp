// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/memory_recorder.h"

namespace accrue {
namespace {

// More than any forward pass has; only an evaluation of many passes gets there.
constexpr std::size_t kMostEvents = 16384;

} // namespace

void MemoryRecorder::reportMemoryUsage(
    void* block, int64_t bytes, size_t allocated, size_t reserved, c10::Device device)
{
    if (device.type() != m_device.type() || device.index() != m_device.index())
        return;
    const std::lock_guard<std::mutex> lock(m_mutex);
    MemoryEvent& event = m_events.emplace_back();
    event.block = block;
    event.bytes = bytes;
    if (!m_device.is_cpu()) { // the CPU's total misses what other threads release
        event.allocated = static_cast<std::int64_t>(allocated);
        event.reserved = static_cast<std::int64_t>(reserved);
    }
    if (m_events.size() >= kMostEvents)
        enter();
}

void MemoryRecorder::listOwnersAbove(std::int64_t bytes)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_ownersAbove = bytes;
}

void MemoryRecorder::enter()
{
    m_ledger.add(m_events, m_ownersAbove);
    m_events.clear();
}

} // namespace accrue
