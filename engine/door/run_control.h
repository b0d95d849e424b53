// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

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

// What the engine is doing right now. Never stored; only for the window view.
struct Progress {
    Phase phase = Phase::Idle;
    std::uint32_t microBatch = 0; // 1-based within the window
    std::uint32_t ofMicroBatches = 0;
    friend bool operator==(const Progress&, const Progress&) = default;
};

// The Progress of one process in a word, in a cache line of its own: ranks of one machine share the
// memory that it is in, and each writes its own with every phase.
struct alignas(64) ProgressWord {
    std::atomic<std::uint64_t> bits { 0 };
    static_assert(decltype(bits)::is_always_lock_free); // otherwise it has a lock of the process
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
    // The learning rate of the next update; the schedule continues from it. The newest one counts.
    // Ignored unless it is above 0 and finite.
    void setLearningRate(double rate);

    bool stopRequested() const { return m_stop.load(std::memory_order_relaxed); }
    bool pauseRequested() const { return m_pause.load(std::memory_order_relaxed); }
    // The step of the first update that could have the rate that was set last; empty: no update has
    // used it yet, or none was set.
    std::optional<std::int64_t> learningRateStep() const;
    Progress progress() const; // lock-free
    // By rank, this process included; empty: it is the only one, or others are on other machines,
    // of which only the log knows something.
    std::vector<Progress> progressOfRanks() const;

    // The session's side, on its thread.
    void setProgress(Progress progress); // lock-free
    // From now on the progress of this rank is also in its word of `words`, one of each rank.
    void shareProgress(std::shared_ptr<ProgressWord[]> words, int rank, int ranks);
    // Blocks until resume or stop; at most so long, if it is given.
    void waitWhilePaused(std::optional<std::chrono::milliseconds> most = {});
    // The rate that is requested for the update of `step`, returned once; empty: none was set
    // since.
    std::optional<double> takeLearningRate(std::int64_t step);

private:
    std::atomic<bool> m_stop { false };
    std::atomic<bool> m_pause { false };
    std::atomic<std::uint64_t> m_progress { 0 };
    ProgressWord* m_shared = nullptr; // of this rank; on the session's thread
    mutable std::mutex m_mutex; // guards changes of m_stop and m_pause against a missed wake-up
    std::condition_variable m_changed;
    std::optional<double> m_learningRate; // requested and not yet used; guarded by m_mutex
    std::optional<std::int64_t> m_learningRateStep; // guarded by m_mutex
    std::shared_ptr<ProgressWord[]> m_words; // of all ranks; guarded by m_mutex, as their number
    int m_ranks = 0;
};

} // namespace accrue
