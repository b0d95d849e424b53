// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/memory_meter.h"

#include <algorithm>
#include <utility>

#include <ATen/core/Tensor.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include "engine/memory/memory_recorder.h"

namespace accrue {
namespace {

const c10::CachingAllocator::Stat& aggregate(const c10::CachingAllocator::StatArray& stats)
{
    return stats[static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE)];
}

c10::CachingDeviceAllocator::DeviceStats statsOf(at::Device device)
{
    return c10::getDeviceAllocator(device.type())->getDeviceStats(device.index());
}

MemoryLedger ledgerOf(at::Device device)
{
    if (device.is_cpu())
        return MemoryLedger();
    const auto stats = statsOf(device);
    return MemoryLedger(
        aggregate(stats.allocated_bytes).current, aggregate(stats.reserved_bytes).current);
}

} // namespace

struct MemoryMeter::Installed {
    explicit Installed(at::Device device)
        : recorder(std::make_shared<MemoryRecorder>(device, ledgerOf(device)))
        , guard(c10::DebugInfoKind::PROFILER_STATE, recorder)
    {
    }

    const std::shared_ptr<MemoryRecorder> recorder;
    const c10::DebugInfoGuard guard;
};

MemoryMeter::MemoryMeter(at::Device device, Metering metering)
    : m_device(device)
    , m_metering(metering)
{
    if (m_device.is_cpu() || m_metering != Metering::Off)
        m_installed = std::make_unique<Installed>(m_device);
    resetPeak();
}

MemoryMeter::~MemoryMeter() = default;

std::int64_t MemoryMeter::liveBytes() const
{
    if (!m_device.is_cpu())
        return aggregate(statsOf(m_device).allocated_bytes).current;
    return m_installed->recorder->withLedger([](auto& ledger) { return ledger.liveBytes(); });
}

std::int64_t MemoryMeter::peakBytes() const
{
    if (!m_device.is_cpu())
        return aggregate(statsOf(m_device).allocated_bytes).peak;
    return m_installed->recorder->withLedger([](auto& ledger) { return ledger.peakBytes(); });
}

void MemoryMeter::resetPeak()
{
    if (!m_device.is_cpu())
        c10::getDeviceAllocator(m_device.type())->resetPeakStats(m_device.index());
    else
        m_installed->recorder->withLedger([](auto& ledger) { ledger.resetPeak(); });
}

void MemoryMeter::own(const at::Tensor& tensor, MemoryCategory category, const std::string& name)
{
    if (m_metering == Metering::Off || !tensor.defined())
        return;
    const void* const block = tensor.storage().data();
    m_installed->recorder->withLedger([&](auto& ledger) { ledger.own(block, category, name); });
}

void MemoryMeter::beginWindow()
{
    endPhase();
    m_phases.clear();
    resetPeak();
}

void MemoryMeter::enter(MemoryPhase phase, std::int64_t microBatch, std::int64_t samples)
{
    if (auto ended = endPhase())
        keep(std::move(*ended));
    begin(phase, microBatch, samples);
}

std::vector<PhaseMemory> MemoryMeter::endWindow()
{
    if (auto ended = endPhase())
        keep(std::move(*ended));
    const std::int64_t other = otherBytes();
    for (PhaseMemory& phase : m_phases)
        phase.otherBytes = other;
    return std::exchange(m_phases, {});
}

void MemoryMeter::beginEvaluation(std::int64_t samples)
{
    enter(MemoryPhase::Evaluation, /*microBatch=*/0, samples);
}

std::optional<PhaseMemory> MemoryMeter::endEvaluation()
{
    std::optional<PhaseMemory> evaluation = endPhase();
    if (evaluation)
        evaluation->otherBytes = otherBytes();
    return evaluation;
}

void MemoryMeter::begin(MemoryPhase phase, std::int64_t microBatch, std::int64_t samples)
{
    if (m_metering == Metering::Off)
        return;
    const PhaseMemory* const kept = keptLike(phase);
    m_installed->recorder->listOwnersAbove(kept == nullptr ? -1 : kept->peakBytes);
    m_installed->recorder->withLedger(
        [=](auto& ledger) { ledger.beginPhase(phase, microBatch, samples); });
}

std::optional<PhaseMemory> MemoryMeter::endPhase()
{
    if (m_metering == Metering::Off)
        return std::nullopt;
    return m_installed->recorder->withLedger([](auto& ledger) -> std::optional<PhaseMemory> {
        if (!ledger.inPhase())
            return std::nullopt;
        return ledger.endPhase();
    });
}

void MemoryMeter::keep(PhaseMemory phase)
{
    PhaseMemory* const kept = keptLike(phase.phase);
    if (kept == nullptr)
        m_phases.push_back(std::move(phase));
    else if (phase.peakBytes > kept->peakBytes)
        *kept = std::move(phase);
}

// What a phase of this kind takes the place of, if its peak is higher.
PhaseMemory* MemoryMeter::keptLike(MemoryPhase phase)
{
    const auto found = std::find_if(m_phases.begin(), m_phases.end(),
        [phase](const PhaseMemory& kept) { return kept.phase == phase; });
    return m_metering == Metering::Full || found == m_phases.end() ? nullptr : &*found;
}

std::int64_t MemoryMeter::otherBytes() const
{
    if (m_device.is_cpu() || m_metering == Metering::Off)
        return 0;
    const auto [free, total] =
        c10::getDeviceAllocator(m_device.type())->getMemoryInfo(m_device.index());
    return static_cast<std::int64_t>(total - free)
        - aggregate(statsOf(m_device).reserved_bytes).current;
}

} // namespace accrue
