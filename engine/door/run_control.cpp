// SPDX-License-Identifier: Apache-2.0
#include "engine/door/run_control.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace accrue {
namespace {

// Progress in one word, so that it is read and written as a whole without a lock: 8 bits of phase,
// then 28 for each of the two counts.
constexpr int kCountBits = 28;
constexpr std::uint64_t kLargestCount = (std::uint64_t { 1 } << kCountBits) - 1;

std::uint64_t packed(Progress progress)
{
    // A larger count is clipped, because it would change the bits of its neighbour.
    const auto count = [](std::uint32_t value) {
        return std::min<std::uint64_t>(value, kLargestCount);
    };
    return static_cast<std::uint64_t>(progress.phase) << (2 * kCountBits)
        | count(progress.microBatch) << kCountBits | count(progress.ofMicroBatches);
}

Progress unpacked(std::uint64_t word)
{
    return { static_cast<Phase>(word >> (2 * kCountBits)),
        static_cast<std::uint32_t>((word >> kCountBits) & kLargestCount),
        static_cast<std::uint32_t>(word & kLargestCount) };
}

} // namespace

void RunControl::requestStop()
{
    // Unlocked before the notification, so that the woken session does not wait for the lock again.
    {
        const std::lock_guard lock(m_mutex);
        m_stop.store(true, std::memory_order_relaxed);
    }
    m_changed.notify_all();
}

void RunControl::pause()
{
    const std::lock_guard lock(m_mutex);
    m_pause.store(true, std::memory_order_relaxed);
}

void RunControl::resume()
{
    {
        const std::lock_guard lock(m_mutex);
        m_pause.store(false, std::memory_order_relaxed);
    }
    m_changed.notify_all();
}

void RunControl::setLearningRate(double rate)
{
    if (!std::isfinite(rate) || rate <= 0)
        return;
    const std::lock_guard lock(m_mutex);
    m_learningRate = rate;
    m_learningRateStep.reset();
}

std::optional<std::int64_t> RunControl::learningRateStep() const
{
    const std::lock_guard lock(m_mutex);
    return m_learningRateStep;
}

std::optional<double> RunControl::takeLearningRate(std::int64_t step)
{
    const std::lock_guard lock(m_mutex);
    // Without a request, the step of the previous one stays known to learningRateStep().
    if (m_learningRate)
        m_learningRateStep = step;
    return std::exchange(m_learningRate, std::nullopt);
}

Progress RunControl::progress() const
{
    // Relaxed: the word is complete in itself and announces no other data.
    return unpacked(m_progress.load(std::memory_order_relaxed));
}

void RunControl::setProgress(Progress progress)
{
    const std::uint64_t word = packed(progress);
    m_progress.store(word, std::memory_order_relaxed);
    if (m_shared != nullptr)
        m_shared->bits.store(word, std::memory_order_relaxed);
}

// The words live as long as this: a window may look at them when the session has ended.
void RunControl::shareProgress(std::shared_ptr<ProgressWord[]> words, int rank, int ranks)
{
    const std::lock_guard lock(m_mutex);
    m_words = std::move(words);
    m_ranks = ranks;
    m_shared = &m_words[rank];
    m_shared->bits.store(m_progress.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

std::vector<Progress> RunControl::progressOfRanks() const
{
    const std::lock_guard lock(m_mutex);
    std::vector<Progress> all;
    all.reserve(static_cast<std::size_t>(m_ranks));
    for (int rank = 0; rank < m_ranks; ++rank)
        all.push_back(unpacked(m_words[rank].bits.load(std::memory_order_relaxed)));
    return all;
}

void RunControl::waitWhilePaused(std::optional<std::chrono::milliseconds> most)
{
    const auto isOver = [this] { return !pauseRequested() || stopRequested(); };
    std::unique_lock lock(m_mutex);
    if (most)
        m_changed.wait_for(lock, *most, isOver);
    else
        m_changed.wait(lock, isOver);
}

} // namespace accrue
