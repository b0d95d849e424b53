// SPDX-License-Identifier: Apache-2.0
#include "engine/window/phase_watch.h"

#include <algorithm>
#include <iterator>

#include <c10/core/impl/VirtualGuardImpl.h>

#include "engine/memory/memory_meter.h"

namespace accrue {
namespace {

c10::Stream currentStream(at::Device device)
{
    return c10::impl::VirtualGuardImpl(device.type()).getStream(device);
}

// A phase that is a part of every window.
struct Part {
    Phase phase;
    MemoryPhase metered;
    double PartTimes::*time;
};

constexpr Part kParts[] = {
    { Phase::Data, MemoryPhase::Data, &PartTimes::dataMs },
    { Phase::Forward, MemoryPhase::Forward, &PartTimes::forwardMs },
    { Phase::Backward, MemoryPhase::Backward, &PartTimes::backwardMs },
    { Phase::Optimizer, MemoryPhase::Optimizer, &PartTimes::optimizerMs },
};

// Null: the phase is none of them.
const Part* partOf(Phase phase)
{
    const auto* const found = std::find_if(std::begin(kParts), std::end(kParts),
        [phase](const Part& part) { return part.phase == phase; });
    return found == std::end(kParts) ? nullptr : found;
}

void addTo(PartTimes& times, Phase phase, double milliseconds)
{
    times.stepMs += phase == Phase::Paused ? 0 : milliseconds;
    if (const Part* const part = partOf(phase))
        times.*part->time += milliseconds;
}

} // namespace

std::optional<MemoryPhase> memoryPhaseOf(Phase phase)
{
    const Part* const part = partOf(phase);
    return part == nullptr ? std::nullopt : std::optional(part->metered);
}

PhaseWatch::PhaseWatch(at::Device device, RunControl& control, MemoryMeter* meter)
    : m_device(device)
    , m_control(control)
    , m_meter(meter)
{
    if (m_device.is_cpu())
        return;
    for (int event = 0; event < 2; ++event)
        m_pace.emplace_back(m_device.type());
}

// The phase before the first slice is Idle: zeroing gradients and copying buffers is work of the
// window, but of none of the parts that a person compares.
void PhaseWatch::beginWindow(std::uint32_t microBatches)
{
    m_windows[m_filling].marks.clear();
    m_progress = { Phase::Data, 0, microBatches };
    m_windowSamples = 0;
    mark(Phase::Idle);
}

void PhaseWatch::enterSlice(std::uint32_t microBatch, std::int64_t samples)
{
    m_progress.microBatch = microBatch;
    m_sliceSamples = samples;
    m_windowSamples += samples;
    enter(Phase::Data);
}

void PhaseWatch::enter(Phase phase)
{
    m_progress.phase = phase;
    m_control.setProgress(m_progress);
    mark(phase);
    if (m_meter != nullptr)
        showToMeter(phase);
}

// The last mark only ends the optimizer's part. Two windows take turns, because on CUDA one is read
// while the next one is already filled.
void PhaseWatch::endWindow()
{
    mark(Phase::Idle);
    m_filling = 1 - m_filling;
}

// Waits only for the last event: the events before it on the same stream are done then, too.
PartTimes PhaseWatch::read()
{
    Window& window = m_windows[m_reading];
    m_reading = 1 - m_reading;
    if (!m_device.is_cpu())
        window.events[window.marks.size() - 1].synchronize();
    PartTimes times;
    for (std::size_t mark = 0; mark + 1 < window.marks.size(); ++mark)
        addTo(times, window.marks[mark].phase, elapsedMs(window, mark, mark + 1));
    return times;
}

// A host that ran further ahead would hold the temporary tensors of several micro-batches at once,
// and a request to stop or pause would take effect that much later.
void PhaseWatch::keepPace()
{
    if (m_device.is_cpu())
        return;
    m_pace[m_paceNext].record(currentStream(m_device));
    m_paceNext = 1 - m_paceNext;
    m_pace[m_paceNext].synchronize(); // the previous one; returns at once if it was never recorded
}

// The meter knows only the phases that allocate: pauses and evaluations are not part of a window.
void PhaseWatch::showToMeter(Phase phase)
{
    const std::optional<MemoryPhase> metered = memoryPhaseOf(phase);
    if (metered == MemoryPhase::Optimizer)
        m_meter->enter(*metered, /*microBatch=*/0, m_windowSamples);
    else if (metered)
        m_meter->enter(*metered, m_progress.microBatch, m_sliceSamples);
}

// Events are created once and reused, since each one costs a call of the driver.
void PhaseWatch::mark(Phase phase)
{
    Window& window = m_windows[m_filling];
    const std::size_t index = window.marks.size();
    window.marks.push_back({ phase, {} });
    if (m_device.is_cpu()) {
        window.marks.back().time = Clock::now();
        return;
    }
    if (window.events.size() <= index)
        window.events.emplace_back(m_device.type(), c10::EventFlag::BACKEND_DEFAULT);
    window.events[index].record(currentStream(m_device));
}

double PhaseWatch::elapsedMs(const Window& window, std::size_t from, std::size_t to) const
{
    if (!m_device.is_cpu())
        return window.events[from].elapsedTime(window.events[to]);
    const Clock::duration elapsed = window.marks[to].time - window.marks[from].time;
    return std::chrono::duration<double, std::milli>(elapsed).count();
}

} // namespace accrue
