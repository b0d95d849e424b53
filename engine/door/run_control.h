// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace accrue {

enum class Phase : std::uint8_t {
    Idle,
    Preparing,
    Data,
    Forward,
    Backward,
    Optimizer,
    Evaluation,
    Checkpoint,
    Paused
};

// What the engine does right now. Never stored; for the window view only.
struct Progress {
    Phase phase = Phase::Idle;
    std::uint32_t microBatch = 0; // 1-based within the window
    std::uint32_t ofMicroBatches = 0;
};

// Steers one run from any thread. Everything takes effect within one micro-batch. The session's
// side is at the bottom.
class RunControl {
public:
    RunControl() = default;
    RunControl(const RunControl&) = delete;
    RunControl& operator=(const RunControl&) = delete;

    void requestStop(); // also ends a pause
    void pause();
    void resume();
    void setLearningRateFactor(double factor); // on the schedule; > 0 and finite, otherwise ignored

    bool stopRequested() const { return m_stop.load(std::memory_order_relaxed); }
    bool pauseRequested() const { return m_pause.load(std::memory_order_relaxed); }
    double learningRateFactor() const { return m_factor.load(std::memory_order_relaxed); }
    Progress progress() const; // lock-free

    // The session's side.
    void setProgress(Progress progress); // lock-free
    void waitWhilePaused(); // Blocks until resume or stop

private:
    std::atomic<bool> m_stop { false };
    std::atomic<bool> m_pause { false };
    std::atomic<double> m_factor { 1.0 };
    std::atomic<std::uint64_t> m_progress { 0 };
    std::mutex m_mutex; // guards changes of m_stop and m_pause against a missed wake-up
    std::condition_variable m_changed;
};

} // namespace accrue
