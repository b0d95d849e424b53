// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/run_control.h"
#include "engine/events/memory.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include <c10/core/Device.h>
#include <c10/core/Event.h>

namespace accrue {

class MemoryMeter;

// Wall time of one window and its parts, in milliseconds, pauses excluded.
struct PartTimes {
    double stepMs = 0; // all parts, and before them zeroed gradients and copies of buffers
    double dataMs = 0;
    double forwardMs = 0;
    double backwardMs = 0;
    double optimizerMs = 0;
};

// The memory meter's name of a phase; nullopt: it is no part of a window.
std::optional<MemoryPhase> memoryPhaseOf(Phase phase);

// Follows the phases of a window: shows them in the progress word and to the memory meter at once,
// and returns their times when the window is over. On CUDA it times by events on the current
// stream, read one window late so that nothing waits for the device; on the CPU by the steady
// clock. A part lasts until the next one is entered. One thread, the session's.
class PhaseWatch {
public:
    // Both borrowed; `meter` may be null.
    PhaseWatch(at::Device device, RunControl& control, MemoryMeter* meter = nullptr);

    void beginWindow(std::uint32_t microBatches); // its time begins
    // 1-based; a slice begins with its data.
    void enterSlice(std::uint32_t microBatch, std::int64_t samples);
    void enter(Phase phase);
    void endWindow(); // may be followed by the next beginWindow before this one is read

    // Times of the oldest window that ended and was not read. Blocks until the device has computed
    // it.
    PartTimes read();
    // Discards the window that was begun and not ended.
    void abandonWindow() { m_windows[m_filling].marks.clear(); }

    // Shows a phase outside of windows: evaluation, checkpoint.
    void show(Phase phase) { m_control.setProgress({ phase, 0, 0 }); }

    // Called after each micro-batch. Blocks until the device has computed all but the last one that
    // was enqueued, so that the host is at most one ahead. Returns at once on the CPU.
    void keepPace();

private:
    using Clock = std::chrono::steady_clock;
    struct Mark {
        Phase phase = Phase::Idle;
        Clock::time_point time; // CPU
    };
    struct Window {
        std::vector<Mark> marks; // each begins its phase; the last one ends the window
        std::vector<c10::Event> events; // CUDA: one per mark; reused by the next window
    };

    void showToMeter(Phase phase);
    void mark(Phase phase);
    double elapsedMs(const Window& window, std::size_t from, std::size_t to) const;

    const at::Device m_device;
    RunControl& m_control;
    MemoryMeter* const m_meter;
    Progress m_progress;
    std::int64_t m_sliceSamples = 0;
    std::int64_t m_windowSamples = 0; // so far
    std::array<Window, 2> m_windows; // one is read while the other is filled
    std::size_t m_filling = 0;
    std::size_t m_reading = 0;
    std::vector<c10::Event> m_pace; // CUDA: the last two micro-batches
    std::size_t m_paceNext = 0;
};

} // namespace accrue
