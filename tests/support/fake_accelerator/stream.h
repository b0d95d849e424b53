// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>

namespace accrue::fake {

// The one stream of a device. Kernels run at once, on the thread that launches them, but the host
// learns of what was enqueued only when it waits for it, as late as a busy device would let it.
// Any thread; what throws throws c10::AcceleratorError.
class Stream {
public:
    using Copy = std::function<void()>;

    // Before a kernel runs; `number`s count all that is enqueued.
    void beginKernel();
    // Reads host memory, which happens as late as the next kernel allows.
    void enqueueToDevice(Copy copy);
    // Writes host memory, which happens once it is waited for.
    void enqueueToHost(Copy copy);

    std::uint64_t mark(); // all that was enqueued so far has this number or a smaller one
    void waitFor(std::uint64_t number);
    void waitForAll();
    // Without a fault and without an end to it: what was waited for.
    bool isDone(std::uint64_t number) const;

    void throwIfFailed() const;
    bool hasFailed() const { return m_failed; }
    void fail(); // throws, as the plan of faults requires
    void loseQuietly() { m_failed = true; }
    void repair();
    std::int64_t copiesUnderWay() const;

private:
    struct Pending {
        std::uint64_t number;
        bool toHost;
        Copy copy;
    };

    void finishToDevice();

    std::atomic<bool> m_failed { false };
    mutable std::recursive_mutex m_mutex; // guards all below
    std::uint64_t m_enqueued = 0;
    std::uint64_t m_done = 0;
    std::list<Pending> m_pending; // in their order
};

} // namespace accrue::fake
