// SPDX-License-Identifier: Apache-2.0
#include "engine/training/phase_watch.h"

#include <c10/core/impl/VirtualGuardImpl.h>

#include "engine/memory/memory_meter.h"

namespace accrue {
namespace {

c10::Stream currentStream(at::Device device)
{
    return c10::impl::VirtualGuardImpl(device.type()).getStream(device);
}

void addTo(PartTimes& times, Phase phase, double milliseconds)
{
    times.stepMs += phase == Phase::Paused ? 0 : milliseconds;
    if (phase == Phase::Data)
        times.dataMs += milliseconds;
    else if (phase == Phase::Forward)
        times.forwardMs += milliseconds;
    else if (phase == Phase::Backward)
        times.backwardMs += milliseconds;
    else if (phase == Phase::Optimizer)
        times.optimizerMs += milliseconds;
    else if (phase == Phase::Idle)
        times.openingMs += milliseconds;
}

} // namespace

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
        tellMeter(phase);
}

void PhaseWatch::endWindow()
{
    mark(Phase::Idle);
    m_filling = 1 - m_filling;
}

void PhaseWatch::abandonWindow()
{
    m_windows[m_filling].marks.clear();
}

void PhaseWatch::tell(Phase phase)
{
    m_control.setProgress({ phase, 0, 0 });
}

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

void PhaseWatch::keepPace()
{
    if (m_device.is_cpu())
        return;
    m_pace[m_paceNext].record(currentStream(m_device));
    m_paceNext = 1 - m_paceNext;
    m_pace[m_paceNext].synchronize(); // the one before; returns at once if it was never recorded
}

void PhaseWatch::tellMeter(Phase phase)
{
    const std::int64_t microBatch = m_progress.microBatch;
    if (phase == Phase::Data)
        m_meter->enter(MemoryPhase::Data, microBatch, m_sliceSamples);
    else if (phase == Phase::Forward)
        m_meter->enter(MemoryPhase::Forward, microBatch, m_sliceSamples);
    else if (phase == Phase::Backward)
        m_meter->enter(MemoryPhase::Backward, microBatch, m_sliceSamples);
    else if (phase == Phase::Optimizer)
        m_meter->enter(MemoryPhase::Optimizer, /*microBatch=*/0, m_windowSamples);
}

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
