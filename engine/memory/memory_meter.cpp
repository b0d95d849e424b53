// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/memory_meter.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <ATen/Context.h>
#include <c10/core/CachingDeviceAllocator.h>

#include "engine/memory/memory_recorder.h"
#include "engine/memory/operator_watch.h"

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

// The first windows of a size differ from later ones: libraries choose how to compute, and allocate
// workspaces that they retain.
constexpr int kWindowsByOperator = 2;

std::int64_t peakOf(const std::vector<PhaseMemory>& phases)
{
    std::int64_t peak = 0;
    for (const PhaseMemory& phase : phases)
        peak = std::max(peak, phase.peakBytes);
    return peak;
}

bool sameBytes(const PhaseMemory& a, const PhaseMemory& b)
{
    const auto bytes = [](const PhaseMemory& phase) {
        return std::tie(phase.phase, phase.samples, phase.beginBytes, phase.endBytes,
            phase.peakBytes, phase.atPeak, phase.atEnd);
    };
    return bytes(a) == bytes(b);
}

} // namespace

// LibTorch reports allocations to the thread's PROFILER_STATE, and passes that state to the threads
// of a backward pass. The guard restores the previous state, so meters may be nested.
struct MemoryMeter::Installed {
    Installed(at::Device device, Metering metering)
        : recorder(std::make_shared<MemoryRecorder>(device, ledgerOf(device)))
        , guard(c10::DebugInfoKind::PROFILER_STATE, recorder)
    {
        if (metering != Metering::Off)
            layers.emplace(*recorder);
    }

    const std::shared_ptr<MemoryRecorder> recorder;
    const c10::DebugInfoGuard guard;
    std::optional<LayerObservation> layers;
};

MemoryMeter::MemoryMeter(at::Device device, Metering metering)
    : m_device(device)
    , m_metering(metering)
{
    if (!m_device.is_cpu()) // without this, the allocator does not know the device yet
        at::globalContext().lazyInitDevice(m_device.type());
    if (m_device.is_cpu() || m_metering != Metering::Off)
        m_installed = std::make_unique<Installed>(m_device, m_metering);
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

// On CUDA the allocator counts live and peak bytes anyway, so they come from it even if the
// recorder meters phases. The CPU's allocator has no such statistics.
void MemoryMeter::resetPeak()
{
    if (!m_device.is_cpu())
        c10::getDeviceAllocator(m_device.type())->resetPeakStats(m_device.index());
    else
        m_installed->recorder->withLedger([](auto& ledger) { ledger.resetPeak(); });
}

// A window that was abandoned leaves a phase open and phases collected; both are dropped here.
void MemoryMeter::beginWindow(std::int64_t microBatchSamples, std::int64_t windowSamples)
{
    endPhase();
    m_phases.clear();
    resetPeak();
    m_alike = &m_windows[{ microBatchSamples, windowSamples }];
    m_meters = !m_alike->settled;
    m_beginBytes = -1;
    m_byOperator = m_metering == Metering::Full || m_alike->metered < kWindowsByOperator;
}

// In a settled window only the bytes at its begin are of interest (isAsBefore).
void MemoryMeter::enter(MemoryPhase phase, std::int64_t microBatch, std::int64_t samples)
{
    if (!m_meters) {
        if (m_beginBytes < 0)
            m_beginBytes = liveBytes();
        return;
    }
    collectEndedPhase();
    begin(phase, microBatch, samples, m_byOperator);
}

// A window that was not metered is reported with the phases of one like it, unless its own bytes
// show that it was different. In that case nothing is reported, and the next one is metered again.
std::vector<PhaseMemory> MemoryMeter::endWindow()
{
    collectEndedPhase();
    if (m_meters) {
        const std::int64_t other = otherBytes();
        for (PhaseMemory& phase : m_phases)
            phase.otherBytes = other;
        settle();
    } else if (isAsBefore())
        m_phases = m_alike->phases;
    else
        *m_alike = {};
    return std::exchange(m_phases, {});
}

// Metering names the owner of each block at each peak, which costs far more than counting bytes. So
// windows of one size are settled once two of them agree in every phase.
void MemoryMeter::settle()
{
    ++m_alike->metered;
    if (m_metering != Metering::Window || m_phases.empty())
        return;
    const bool same = std::equal(m_phases.begin(), m_phases.end(), m_alike->phases.begin(),
        m_alike->phases.end(), sameBytes);
    m_alike->phases = m_phases;
    m_alike->reserved = reservedBytes();
    m_beginBytes = m_phases.front().beginBytes;
    m_alike->settled = same && isAsBefore();
}

// Compares the whole window, so that memory allocated between its phases is noticed, too.
bool MemoryMeter::isAsBefore() const
{
    const std::vector<PhaseMemory>& phases = m_alike->phases;
    return m_beginBytes == phases.front().beginBytes && liveBytes() == phases.back().endBytes
        && peakBytes() == peakOf(phases) && reservedBytes() == m_alike->reserved;
}

void MemoryMeter::beginEvaluation()
{
    collectEndedPhase();
    const bool first = !std::exchange(m_hasEvaluated, true);
    begin(MemoryPhase::Evaluation, /*microBatch=*/0, /*samples=*/0,
        first || m_metering == Metering::Full);
}

std::vector<PhaseMemory> MemoryMeter::endEvaluation(std::int64_t samples)
{
    std::optional<PhaseMemory> evaluation = endPhase();
    if (!evaluation)
        return {};
    evaluation->samples = samples;
    evaluation->otherBytes = otherBytes();
    return { std::move(*evaluation) };
}

// `above` makes the ledger list the owners only of a phase that will be collected.
void MemoryMeter::begin(
    MemoryPhase phase, std::int64_t microBatch, std::int64_t samples, bool byOperator)
{
    if (m_metering == Metering::Off)
        return;
    const PhaseMemory* const collected = collectedLike(phase);
    const auto known = m_byOperators.find({ phase, samples });
    m_installed->recorder->beginPhase(phase, microBatch, samples, reservedBytes(),
        { .above = collected == nullptr ? -1 : collected->peakBytes,
            .known = byOperator || known == m_byOperators.end() ? nullptr : &known->second });
    if (byOperator)
        m_operators = std::make_unique<OperatorWatch>();
}

std::optional<PhaseMemory> MemoryMeter::endPhase()
{
    if (m_metering == Metering::Off)
        return std::nullopt;
    std::optional<PhaseMemory> ended = m_installed->recorder->endPhase();
    const bool byOperator = std::exchange(m_operators, nullptr) != nullptr;
    if (byOperator && ended && m_metering == Metering::Window && !ended->owners.empty())
        m_byOperators.insert_or_assign({ ended->phase, ended->samples }, *ended);
    return ended;
}

void MemoryMeter::collectEndedPhase()
{
    std::optional<PhaseMemory> ended = endPhase();
    if (!ended)
        return;
    PhaseMemory* const collected = collectedLike(ended->phase);
    if (collected == nullptr)
        m_phases.push_back(std::move(*ended));
    else if (ended->peakBytes > collected->peakBytes)
        *collected = std::move(*ended);
}

// The collected phase that one of this kind replaces if its peak is higher; null: none is replaced.
PhaseMemory* MemoryMeter::collectedLike(MemoryPhase phase)
{
    const auto found = std::find_if(m_phases.begin(), m_phases.end(),
        [phase](const PhaseMemory& one) { return one.phase == phase; });
    return m_metering == Metering::Full || found == m_phases.end() ? nullptr : &*found;
}

std::int64_t MemoryMeter::reservedBytes() const
{
    return m_device.is_cpu() ? 0 : aggregate(statsOf(m_device).reserved_bytes).current;
}

std::int64_t MemoryMeter::otherBytes() const
{
    return m_device.is_cpu() || m_metering == Metering::Off ? 0 : heldByOthers(m_device);
}

std::int64_t heldByOthers(at::Device device)
{
    const auto [free, total] =
        c10::getDeviceAllocator(device.type())->getMemoryInfo(device.index());
    return heldByOthers(total, free, aggregate(statsOf(device).reserved_bytes).current);
}

std::int64_t heldByOthers(std::size_t total, std::size_t free, std::int64_t reserved)
{
    const std::int64_t taken = static_cast<std::int64_t>(total) - static_cast<std::int64_t>(free);
    return std::max<std::int64_t>(taken - reserved, 0);
}

// Callers need not know whether a meter is installed: the thread's state does.
void ownMemory(const at::Tensor& tensor, MemoryCategory category, const std::string& name)
{
    auto* const recorder = MemoryRecorder::ofThread();
    if (recorder == nullptr || !tensor.defined())
        return;
    const void* const block = tensor.storage().data();
    recorder->withLedger([&](MemoryLedger& ledger) { ledger.own(block, category, name); });
}

} // namespace accrue
